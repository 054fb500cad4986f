# SPDX-License-Identifier: Apache-2.0
# ingot_add_module(NAME SOURCES... ): the static library ingot_NAME with its alias ingot::NAME.
function(ingot_add_module name)
  add_library(ingot_${name} STATIC ${ARGN})
  add_library(ingot::${name} ALIAS ingot_${name})
  target_link_libraries(ingot_${name} PUBLIC ingot::options)
endfunction()

# ingot_add_test(NAME SOURCES... [LIBS lib...] [LABEL label]): the test executable NAME_test, its cases found by ctest.
function(ingot_add_test name)
  cmake_parse_arguments(arg "" "LABEL" "LIBS" ${ARGN})
  add_executable(${name}_test ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name}_test PRIVATE ${arg_LIBS} ingot::options GTest::gmock GTest::gtest_main)
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  gtest_discover_tests(${name}_test TEST_PREFIX "${name}/" DISCOVERY_TIMEOUT 60 PROPERTIES LABELS "${arg_LABEL}" TIMEOUT 600
    ENVIRONMENT "ORT_DISABLE_TELEMETRY=1")  # as the binaries set it: no test touches the network
endfunction()
