# SPDX-License-Identifier: Apache-2.0
# Writes HEADER with the commit of SOURCE, "unknown" outside a repository; run with cmake -P.
execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#define INGOT_COMMIT \"${commit}\"\n")
