# autotune_add_kernels(TARGET target SPACE file [RESULTS dir] [DEVICES device...]
#   [PROBLEMS problem...] [PORTFOLIO loss] [ON_MISSING FAIL|FALLBACK]
#   [ON_STALE ERROR|WARN|IGNORE])
#
# Adds to the target the kernel of a space in every winning configuration. Each is a source
# with its own options and name (matmul_0, matmul_1, ...). The folder of the generated
# header joins the target's include folders. A target that does not exist becomes a static
# library.
#
#   find_package(autotune REQUIRED)
#   enable_language(CUDA)
#   autotune_add_kernels(TARGET kernels SPACE spaces/matmul.cfg RESULTS results)
#   target_link_libraries(program PRIVATE kernels)      # #include "matmul.h"
#
# The program then calls matmul_run(&device, stream, M, N, K, A, B, C).
#
# If the kernel is an instance of a C++ template (scale<256, float>), scale_0 is a constant
# pointer to it: extern "C" void (*const scale_0)(const float *, ...);
#
# A build only uses recorded results: it never tunes, and needs no device.
#   RESULTS     the folder of the record or of result files ("results"); like SPACE,
#               relative to the current source folder
#   DEVICES     models, as in nvidia-h200; all recorded ones without it
#   PROBLEMS    problems of the space; all recorded ones without it
#   PORTFOLIO   use the few configurations that autotune --portfolio recorded, none of
#               which loses more than this (5%), instead of the winners of all problems
#   ON_MISSING  if nothing is recorded for a device of DEVICES, or nothing at all:
#               FAIL (the default) ends with an error. FALLBACK warns and continues: without
#               that device, which then uses the results of the nearest device; without any
#               results, with the space's defaults, which are not measured
#   ON_STALE    if a winner's template, or a file that it includes, has changed since the
#               measurement, or the space gives another launch: ERROR (the default) ends
#               with an error, WARN warns, IGNORE uses the winner
#
# When the space, the template, the results or autotune itself change, CMake configures the
# project again and compiles the sources that have other text or options.
#
# Properties of the target, for other compilers and builds, with the kernel's name in
# capitals:
#   AUTOTUNE_MATMUL_CONFIGURATIONS  the numbers of the configurations
#   AUTOTUNE_MATMUL_FLAGS_<n>       the options of configuration n
#   AUTOTUNE_MATMUL_HEADER          the header's path
include_guard(GLOBAL)

# Runs autotune header ...; sets <out> to its output, and <out>_FAILED to its error message.
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

# Writes the file only if its text changes, so that nothing is compiled needlessly.
function(_autotune_write path text)
  if(EXISTS "${path}")
    file(READ "${path}" old)
    if(old STREQUAL text)
      return()
    endif()
  endif()
  file(WRITE "${path}" "${text}")
endfunction()

# The devices with recorded results; fails or warns for the others.
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

# Adds one configuration: its source, its options, and the target's properties.
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
  # makes the kernels known to matmul_run(), and instantiates a C++ template
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
  # "$<" in an option must not start a generator expression
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

  # its inputs; result files come and go
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
  # from the requested results to the available ones
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
  # one line for each configuration; no string contains a newline
  while(lines MATCHES "^([^\n]+)\n(.*)$")
    set(object "${CMAKE_MATCH_1}")
    set(lines "${CMAKE_MATCH_2}")
    _autotune_add_configuration(${arg_TARGET} "${folder}" "${header}" ${on_stale} "${object}")
  endwhile()
endfunction()
