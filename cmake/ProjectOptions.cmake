# SPDX-License-Identifier: Apache-2.0
# Language level, warnings and sanitizers. No option here changes a result: only how the build checks itself.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

option(BUILD_TESTING "Build the tests" ON)
option(INGOT_WARNINGS_AS_ERRORS "Treat warnings as errors (dev and CI)" OFF)
option(INGOT_ENABLE_SANITIZERS "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(INGOT_ENABLE_FUZZING "Build for libFuzzer (clang; with INGOT_ENABLE_SANITIZERS)" OFF)

find_program(INGOT_CCACHE ccache)
if(INGOT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${INGOT_CCACHE}")
endif()

add_library(ingot_options INTERFACE)
add_library(ingot::options ALIAS ingot_options)
target_include_directories(ingot_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(ingot_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor
  -ffp-contract=off  # the same bytes on every machine: no fused multiply-add chosen by the compiler
  $<$<BOOL:${INGOT_WARNINGS_AS_ERRORS}>:-Werror>)
if(INGOT_ENABLE_SANITIZERS)
  set(flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # GCC documents -Wmaybe-uninitialized as unreliable under sanitizers: <regex> alone sets it off.
  target_compile_options(ingot_options INTERFACE ${flags} $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(ingot_options INTERFACE ${flags})
  target_compile_definitions(ingot_options INTERFACE INGOT_SANITIZERS=1)
endif()
if(INGOT_ENABLE_FUZZING)
  target_compile_options(ingot_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
