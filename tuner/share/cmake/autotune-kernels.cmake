# autotune_add_kernels(TARGET target SPACE file [RESULTS dir] [DEVICES device...]
#   [PROBLEMS problem...] [PORTFOLIO bound] [ON_MISSING FAIL|FALLBACK])
#
# Adds to the target the kernel of a space in every configuration that won, each as a
# source of its own with its own options and under its own name (matmul_0, matmul_1, ...),
# and the generated header to its include folders. A target that does not exist yet
# becomes a static library.
#
#   find_package(autotune REQUIRED)
#   enable_language(CUDA)
#   autotune_add_kernels(TARGET kernels SPACE spaces/matmul.cfg RESULTS results)
#   target_link_libraries(program PRIVATE kernels)      # #include "matmul.h"
#
# Only what is recorded is used: a build never tunes, and needs no device. RESULTS
# ("results", like SPACE from the current source folder) is the folder of the record or of
# result files. DEVICES are models as in nvidia-h200, without it all that are recorded;
# PROBLEMS likewise. ON_MISSING says what to do where nothing is recorded for the space (or
# for one of DEVICES): FAIL ends the configuration of the project, FALLBACK takes the space's
# defaults, and says so. When the space, the template or what is recorded changes, the
# project is configured again.
#
# Of the target, for another build or for compilers at run time, KERNEL in capitals:
#   AUTOTUNE_<KERNEL>_CONFIGURATIONS  their numbers
#   AUTOTUNE_<KERNEL>_FLAGS_<n>       the options of one
include_guard(GLOBAL)

# Runs it; what it says on standard error is shown. Sets <out>, and <out>_FAILED to what
# it said where it failed.
function(_autotune_run out)
  execute_process(COMMAND "${AUTOTUNE_EXECUTABLE}" ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE talk)
  set(failed "")
  if(NOT code EQUAL 0)
    string(STRIP "${talk}" failed)
    if(failed STREQUAL "")
      set(failed "${AUTOTUNE_EXECUTABLE} ended with ${code}")
    endif()
  endif()
  set(${out} "${text}" PARENT_SCOPE)
  set(${out}_FAILED "${failed}" PARENT_SCOPE)
endfunction()
