# autotune_add_kernels(TARGET target SPACE file [RESULTS dir] [DEVICES device...]
#   [PROBLEMS problem...] [PORTFOLIO loss] [ON_MISSING FAIL|FALLBACK]
#   [ON_STALE ERROR|WARN|IGNORE])
#
# Adds to the target the kernel of a space in every configuration that won, each as a
# source of its own with its own options and under its own name (matmul_0, matmul_1, ...),
# and the folder of the generated header to its include folders. A target that does not
# exist yet becomes a static library.
#
#   find_package(autotune REQUIRED)
#   enable_language(CUDA)
#   autotune_add_kernels(TARGET kernels SPACE spaces/matmul.cfg RESULTS results)
#   target_link_libraries(program PRIVATE kernels)      # #include "matmul.h"
#
# The program then calls matmul_run(&device, stream, M, N, K, A, B, C).
#
# Of a kernel that is an instance of a template of C++ (scale<256, float>) scale_0 is a
# constant pointer to it: extern "C" void (*const scale_0)(const float *, ...);
#
# Only what is recorded is used: a build never tunes, and needs no device. RESULTS
# ("results"; as SPACE, from the current source folder) is the folder of the record or of
# result files. DEVICES are models as in nvidia-h200, without it all that are recorded;
# PROBLEMS likewise. PORTFOLIO takes, instead of the winners of all problems, the few
# configurations that autotune --portfolio recorded, where none loses more than this: 5%. Where nothing is recorded for one of DEVICES, or nothing at all, FAIL,
# which is what holds without ON_MISSING, ends with an error. FALLBACK says so and goes on:
# without that device, which then gets what is best on the nearest one; and where nothing is
# recorded at all with the space's defaults, which are not measured.
#
# A winner is stale if its template, or a file that the template includes, is not what it
# was measured with, or if the space gives another launch. ERROR, which is what holds without
# ON_STALE, ends with an error, WARN says so, IGNORE takes it.
#
# When the space, the template, the results or autotune itself change, the project is
# configured again, and what comes to another source or other options is compiled again.
#
# Properties of the target, for other compilers and other builds, with the kernel's name in
# capitals:
#   AUTOTUNE_MATMUL_CONFIGURATIONS  the numbers of the configurations
#   AUTOTUNE_MATMUL_FLAGS_<n>       the options of one
#   AUTOTUNE_MATMUL_HEADER          the header's path
include_guard(GLOBAL)

# autotune header ...: sets <out>, and <out>_FAILED to what it said where it failed.
function(_autotune_header out)
  execute_process(COMMAND "${AUTOTUNE_EXECUTABLE}" header ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE talk)
  set(failed "")
  if(NOT code EQUAL 0)
    string(STRIP "${talk}" failed)
    if(failed STREQUAL "")
      set(failed "${AUTOTUNE_EXECUTABLE} ended with ${code}")
    endif()
  elseif(NOT talk STREQUAL "")
    message(STATUS "${talk}")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
  set(${out}_FAILED "${failed}" PARENT_SCOPE)
endfunction()

# The string at a key of a JSON object; an array becomes a list.
function(_autotune_member out object key)
  string(JSON type TYPE "${object}" ${key})
  if(NOT type STREQUAL "ARRAY")
    string(JSON value GET "${object}" ${key})
    set(${out} "${value}" PARENT_SCOPE)
    return()
  endif()
  string(JSON count LENGTH "${object}" ${key})
  set(values "")
  set(i 0)
  while(i LESS count)
    string(JSON value GET "${object}" ${key} ${i})
    string(REPLACE ";" "\\;" value "${value}")
    list(APPEND values "${value}")
    math(EXPR i "${i} + 1")
  endwhile()
  set(${out} "${values}" PARENT_SCOPE)
endfunction()

# Not touched where it is the same text, so that nothing is compiled without need.
function(_autotune_write path text)
  if(EXISTS "${path}")
    file(READ "${path}" old)
    if(old STREQUAL text)
      return()
    endif()
  endif()
  file(WRITE "${path}" "${text}")
endfunction()

# Which of the devices something is recorded for; of the others it fails, or tells.
function(_autotune_recorded out on_missing space results)
  set(recorded "")
  foreach(device IN LISTS ARGN)
    _autotune_header(text "${space}" --results "${results}" --flags --device "${device}")
    if(NOT text_FAILED)
      list(APPEND recorded "${device}")
    elseif(on_missing STREQUAL "FAIL")
      message(FATAL_ERROR "autotune_add_kernels: ${device}: ${text_FAILED}")
    else()
      message(WARNING "autotune_add_kernels: ${device}: ${text_FAILED}; "
        "it is done without")
    endif()
  endforeach()
  set(${out} "${recorded}" PARENT_SCOPE)
endfunction()

# One configuration: its source, its options, and what the target says of it.
function(_autotune_add_configuration target folder header on_stale object)
  string(JSON stale ERROR_VARIABLE none GET "${object}" stale)
  if(none STREQUAL "NOTFOUND" AND on_stale STREQUAL "ERROR")
    message(FATAL_ERROR "autotune_add_kernels: ${header}: ${stale}: tune it again, or say "
      "ON_STALE WARN")
  elseif(none STREQUAL "NOTFOUND" AND on_stale STREQUAL "WARN")
    message(WARNING "autotune_add_kernels: ${header}: ${stale}: tune it again")
  endif()
  foreach(key macro template configuration kernel flags)
    _autotune_member(${key} "${object}" ${key})
  endforeach()
  get_filename_component(template "${template}" ABSOLUTE)
  set(source "${folder}/${kernel}.cu")
  # makes the kernels known to matmul_run(); a template of C++ has no code until then
  set(entry "${macro}_ENTRY;")
  string(JSON instance ERROR_VARIABLE none GET "${object}" instance)
  if(none STREQUAL "NOTFOUND")
    string(APPEND entry " // ${instance}")
  endif()
  _autotune_write("${source}" "// Written by autotune_add_kernels(); changes made by hand are lost.
#define ${macro}_CONFIGURATION ${configuration}
#define ${macro}_BARE
#include \"${header}\"
#include \"${template}\"
${entry}
")
  target_sources(${target} PRIVATE "${source}")
  # an option's "$<" is no expression of CMake
  string(REPLACE "$<" "$<1:$><" literal "${flags}")
  set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES
    COMPILE_OPTIONS "${literal}")
  set_target_properties(${target} PROPERTIES
    AUTOTUNE_${macro}_FLAGS_${configuration} "${flags}"
    AUTOTUNE_${macro}_HEADER "${folder}/${header}")
  set_property(TARGET ${target} APPEND PROPERTY
    AUTOTUNE_${macro}_CONFIGURATIONS ${configuration})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${template}")
endfunction()

function(autotune_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" 
    "TARGET;SPACE;RESULTS;PORTFOLIO;ON_MISSING;ON_STALE"
    "DEVICES;PROBLEMS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "autotune_add_kernels: not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TARGET OR NOT arg_SPACE)
    message(FATAL_ERROR "autotune_add_kernels needs TARGET and SPACE")
  endif()
  if(NOT arg_RESULTS)
    set(arg_RESULTS results)
  endif()
  string(TOUPPER "${arg_ON_MISSING}" on_missing)
  if(on_missing STREQUAL "")
    set(on_missing FAIL)
  elseif(NOT on_missing MATCHES "^(FAIL|FALLBACK)$")
    message(FATAL_ERROR "autotune_add_kernels: ON_MISSING is FAIL or FALLBACK, not "
      "${arg_ON_MISSING}")
  endif()
  string(TOUPPER "${arg_ON_STALE}" on_stale)
  if(on_stale STREQUAL "")
    set(on_stale ERROR)
  elseif(NOT on_stale MATCHES "^(ERROR|WARN|IGNORE)$")
    message(FATAL_ERROR "autotune_add_kernels: ON_STALE is ERROR, WARN or IGNORE, not "
      "${arg_ON_STALE}")
  endif()
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "autotune_add_kernels: kernels are sources in CUDA: "
      "enable_language(CUDA) comes first")
  endif()
  get_filename_component(space "${arg_SPACE}" ABSOLUTE)
  get_filename_component(results "${arg_RESULTS}" ABSOLUTE)

  # what it is made of; files of results come and go
  file(GLOB records CONFIGURE_DEPENDS "${results}/*/*.json" "${results}/autotune.db")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${space}" ${records} "${AUTOTUNE_EXECUTABLE}")

  set(what "${space}" --results "${results}")
  _autotune_recorded(devices ${on_missing} "${space}" "${results}" ${arg_DEVICES})
  if(devices)
    list(JOIN devices "," devices)
    list(APPEND what --device "${devices}")
  endif()
  foreach(problem IN LISTS arg_PROBLEMS)
    list(APPEND what --problem "${problem}")
  endforeach()
  # from what is asked for to what there is
  set(winners ${what})
  if(arg_PORTFOLIO)
    list(APPEND what --portfolio "${arg_PORTFOLIO}")
  endif()
  _autotune_header(lines ${what} --flags --json)
  if(lines_FAILED AND on_missing STREQUAL "FALLBACK" AND arg_PORTFOLIO)
    message(WARNING "autotune_add_kernels: ${lines_FAILED}; all winners are taken")
    set(what ${winners})
    _autotune_header(lines ${what} --flags --json)
  endif()
  if(lines_FAILED AND on_missing STREQUAL "FALLBACK")
    message(WARNING "autotune_add_kernels: ${lines_FAILED}; the defaults of the space are "
      "taken, which are not measured")
    set(what "${space}" --results "${results}" --defaults)
    _autotune_header(lines ${what} --flags --json)
  endif()
  if(lines_FAILED)
    message(FATAL_ERROR "autotune_add_kernels: ${lines_FAILED}")
  endif()

  if(NOT TARGET ${arg_TARGET})
    add_library(${arg_TARGET} STATIC)
  endif()
  string(JSON macro GET "${lines}" macro)
  string(TOLOWER "${macro}.h" header)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/autotune/${arg_TARGET}")
  file(MAKE_DIRECTORY "${folder}")
  _autotune_header(text ${what} --quiet -o "${folder}/${header}")
  if(text_FAILED)
    message(FATAL_ERROR "autotune_add_kernels: ${text_FAILED}")
  endif()
  target_include_directories(${arg_TARGET} PUBLIC "${folder}")
  set_property(TARGET ${arg_TARGET} PROPERTY AUTOTUNE_${macro}_CONFIGURATIONS "")
  # a line each, which end outside of strings only
  while(lines MATCHES "^([^\n]+)\n(.*)$")
    set(object "${CMAKE_MATCH_1}")
    set(lines "${CMAKE_MATCH_2}")
    _autotune_add_configuration(${arg_TARGET} "${folder}" "${header}" ${on_stale} "${object}")
  endwhile()
endfunction()
