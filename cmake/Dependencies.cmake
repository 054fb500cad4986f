# SPDX-License-Identifier: Apache-2.0
# The only place that looks for dependencies. Why each one: docs/dependencies.md.
# Static libraries are asked for, so that a release needs glibc and libstdc++ only.
if(DEFINED ENV{INGOT_CACHE})
  set(cache "$ENV{INGOT_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(cache "$ENV{XDG_CACHE_HOME}/ingot")
else()
  set(cache "$ENV{HOME}/.cache/ingot")
endif()
set(INGOT_CACHE "${cache}" CACHE PATH "What scripts/setup built and fetched")

# The versions scripts/setup fetched, as variables of the same names.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/versions.env" pins REGEX "^[A-Za-z0-9_]+=")
foreach(pin IN LISTS pins)
  string(REGEX MATCH "^([^=]+)=(.*)$" pin "${pin}")
  set("${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/versions.env")

find_package(Threads REQUIRED)

# ingot_static(NAME LIBRARY HEADER): an imported target for a static library of Debian's that has no CMake package of its own.
function(ingot_static name library header)
  find_library(INGOT_LIB_${name} NAMES ${library} REQUIRED)
  find_path(INGOT_INC_${name} ${header} REQUIRED)
  add_library(ingot_dep_${name} STATIC IMPORTED GLOBAL)
  set_target_properties(ingot_dep_${name} PROPERTIES IMPORTED_LOCATION "${INGOT_LIB_${name}}" INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${INGOT_INC_${name}}")
  add_library(ingot::dep::${name} ALIAS ingot_dep_${name})
endfunction()

ingot_static(z libz.a zlib.h)
# zstd: only because Debian 13's libcrypto.a refers to it; nothing of ours calls it.
ingot_static(zstd libzstd.a zstd.h)
ingot_static(crypto libcrypto.a openssl/evp.h)
target_link_libraries(ingot_dep_crypto INTERFACE ingot_dep_z ingot_dep_zstd Threads::Threads ${CMAKE_DL_LIBS})
# fmt: Debian ships the library shared only, so its header-only form is used.
find_path(INGOT_INC_fmt fmt/core.h REQUIRED)
add_library(ingot_dep_fmt INTERFACE)
target_compile_definitions(ingot_dep_fmt INTERFACE FMT_HEADER_ONLY=1)
add_library(ingot::dep::fmt ALIAS ingot_dep_fmt)
ingot_static(jpeg libjpeg.a jpeglib.h)
ingot_static(minizip libminizip.a minizip/unzip.h)
target_link_libraries(ingot_dep_minizip INTERFACE ingot_dep_z)
ingot_static(png libpng.a png.h)
target_link_libraries(ingot_dep_png INTERFACE ingot_dep_z m)
ingot_static(protobuf libprotobuf.a google/protobuf/message.h)
target_link_libraries(ingot_dep_protobuf INTERFACE ingot_dep_z Threads::Threads)

# Header-only: found to fail early with a clear message, used through the system include path.
foreach(header CLI/CLI.hpp nlohmann/json.hpp toml++/toml.h xxhash.h)
  string(MAKE_C_IDENTIFIER "INGOT_HEADER_${header}" variable)
  find_path(${variable} ${header} REQUIRED)
endforeach()

# ONNX: built once by scripts/setup, always by g++ (clang uses the same C++ library and ABI). The whole archive is linked, or its
# operator schemas vanish.
set(gcc_version "${CMAKE_CXX_COMPILER_VERSION}")
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  execute_process(COMMAND g++ -dumpfullversion OUTPUT_VARIABLE gcc_version OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
set(onnx "${INGOT_CACHE}/onnx-${ONNX_VERSION}-gcc-${gcc_version}")
if(NOT EXISTS "${onnx}/done")
  message(FATAL_ERROR "ONNX ${ONNX_VERSION} is not in '${onnx}': run scripts/setup first")
endif()
add_library(ingot_dep_onnx INTERFACE)
target_include_directories(ingot_dep_onnx SYSTEM INTERFACE "${onnx}/include")
target_compile_definitions(ingot_dep_onnx INTERFACE ONNX_NAMESPACE=onnx ONNX_ML=1)
target_link_libraries(ingot_dep_onnx INTERFACE
  "$<LINK_LIBRARY:WHOLE_ARCHIVE,${onnx}/lib/libonnx.a>" "${onnx}/lib/libonnx_proto.a" ingot_dep_protobuf)
add_library(ingot::dep::onnx ALIAS ingot_dep_onnx)

# ONNX Runtime: only its C header is used at build time; the library is opened at run time.
set(ort_headers "${INGOT_CACHE}/onnxruntime-headers-${ORT_HEADERS_VERSION}")
if(NOT EXISTS "${ort_headers}/onnxruntime_c_api.h")
  message(FATAL_ERROR "the ONNX Runtime headers are not in '${ort_headers}': run scripts/setup first")
endif()
add_library(ingot_dep_ort_headers INTERFACE)
target_include_directories(ingot_dep_ort_headers SYSTEM INTERFACE "${ort_headers}")
add_library(ingot::dep::ort_headers ALIAS ingot_dep_ort_headers)
set(INGOT_ORT_LIBRARY "${INGOT_CACHE}/onnxruntime-${ORT_VERSION}/${CMAKE_SYSTEM_PROCESSOR}/libonnxruntime.so.${ORT_VERSION}")
if(NOT EXISTS "${INGOT_ORT_LIBRARY}")
  message(FATAL_ERROR "ONNX Runtime is not at '${INGOT_ORT_LIBRARY}': run scripts/setup first")
endif()
cmake_path(GET INGOT_ORT_LIBRARY PARENT_PATH ort_folder)
set(INGOT_ORT_NOTICES "${ort_folder}/LICENSE" "${ort_folder}/ThirdPartyNotices.txt")
# Beside the binaries, where they look for it; the notices with it, for bundles.
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
foreach(file IN ITEMS "${INGOT_ORT_LIBRARY}" ${INGOT_ORT_NOTICES})
  cmake_path(GET file FILENAME name)
  file(COPY_FILE "${file}" "${CMAKE_BINARY_DIR}/lib/${name}" ONLY_IF_DIFFERENT)
endforeach()

if(BUILD_TESTING)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  enable_testing()
endif()
