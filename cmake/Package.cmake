# SPDX-License-Identifier: Apache-2.0
# The release archive: both binaries, the runtime library where they look for it, and every licence. scripts/archive makes it.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

install(TARGETS ingot ingot-run RUNTIME DESTINATION bin)
install(FILES "${INGOT_ORT_LIBRARY}" DESTINATION lib)
install(FILES CHANGELOG.md LICENSE README.md SECURITY.md DESTINATION .)
install(DIRECTORY docs/formats DESTINATION docs)

# The notices of the runtime lie beside it, so that 'ingot bundle pack' takes them along.
install(FILES ${INGOT_ORT_NOTICES} DESTINATION lib)
install(FILES "${onnx}/LICENSE" DESTINATION licenses RENAME onnx.txt)
# Of what is linked in or compiled in from Debian's packages.
foreach(package libcli11-dev libfmt-dev libjpeg62-turbo-dev libminizip-dev libpng-dev libprotobuf-dev libssl-dev libtomlplusplus-dev
    libxxhash-dev libzstd-dev nlohmann-json3-dev zlib1g-dev)
  # May be a link, which would be copied as one.
  file(REAL_PATH "/usr/share/doc/${package}/copyright" notice)
  install(FILES "${notice}" DESTINATION licenses RENAME "${package}.txt")
endforeach()

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_FILE_NAME "ingot-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
# Owner root whoever packs; the times come from SOURCE_DATE_EPOCH.
set(CPACK_ARCHIVE_UID 0)
set(CPACK_ARCHIVE_GID 0)
include(CPack)
