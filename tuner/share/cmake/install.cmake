# The installed files and the packages. The project's CMakeLists.txt includes it;
# autotune-config.cmake.in and autotune-kernels.cmake are for users of the package.
#
#   cmake --install build --prefix DIR
#   cpack --config build/CPackConfig.cmake -G DEB     (or TGZ)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(AT_SHARE ${CMAKE_CURRENT_SOURCE_DIR}/tuner/share)

# --- the executable, its manual page and its completions --------------------------
install(TARGETS autotune RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# compresses as distributions do, if available
find_program(AT_GZIP gzip)

# The executable writes them from its own tables. A build for another machine needs a
# program that runs here; otherwise they are omitted.
set(AT_HOST_AUTOTUNE "" CACHE FILEPATH
  "an autotune of this version that runs here, when building for another machine")
if(AT_HOST_AUTOTUNE)
  set(AT_RUNS_HERE ${AT_HOST_AUTOTUNE})
elseif(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(AT_RUNS_HERE autotune) # by the emulator, if any
else()
  set(AT_RUNS_HERE "")
  message(STATUS "built for another machine: no page of the manual and no completions; "
    "AT_HOST_AUTOTUNE may name an autotune of this version that runs here")
endif()

if(AT_RUNS_HERE)
  set(AT_PAGES ${CMAKE_CURRENT_BINARY_DIR}/pages)
  file(MAKE_DIRECTORY ${AT_PAGES})
  # at_page(OUTPUT options of help...): help does not rewrite an unchanged file, so touch it
  function(at_page output)
    add_custom_command(OUTPUT ${AT_PAGES}/${output}
      COMMAND ${AT_RUNS_HERE} help ${ARGN} -o ${AT_PAGES}/${output}
      COMMAND ${CMAKE_COMMAND} -E touch ${AT_PAGES}/${output}
      DEPENDS autotune VERBATIM)
  endfunction()
  at_page(autotune.1 --man)
  at_page(autotune.bash --completion bash)
  at_page(_autotune --completion zsh)
  at_page(autotune.fish --completion fish)
  set(pages autotune.1 autotune.bash _autotune autotune.fish)
  set(man autotune.1)
  if(AT_GZIP)
    set(man autotune.1.gz)
    list(APPEND pages ${man})
    add_custom_command(OUTPUT ${AT_PAGES}/${man}
      COMMAND ${AT_GZIP} -9nkf ${AT_PAGES}/autotune.1
      DEPENDS ${AT_PAGES}/autotune.1 VERBATIM)
  endif()
  list(TRANSFORM pages PREPEND ${AT_PAGES}/)
  add_custom_target(autotune_pages ALL DEPENDS ${pages})

  install(FILES ${AT_PAGES}/${man} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${AT_PAGES}/autotune.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME autotune)
  install(FILES ${AT_PAGES}/autotune.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  # zsh searches site-functions; Debian's own packages use another folder
  install(CODE "
    set(folder site-functions)
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\" AND EXISTS /etc/debian_version)
      set(folder vendor-completions)
    endif()
    file(INSTALL \"${AT_PAGES}/_autotune\" TYPE FILE
      DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${folder}\")")
endif()

# --- data and documents ---------------------------------------------------------------
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
# of Chart.js, which is embedded in the executable and in each report
install(FILES tuner/report/page/chart.js.LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(log ${AT_SHARE}/debian/changelog)
if(AT_GZIP)
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz
    COMMAND ${CMAKE_COMMAND} -E copy ${log} changelog
    COMMAND ${AT_GZIP} -9nf changelog
    DEPENDS ${log} VERBATIM)
  set(log ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz)
  add_custom_target(autotune_changelog ALL DEPENDS ${log})
endif()
install(FILES ${log} DESTINATION ${CMAKE_INSTALL_DOCDIR})
# sample kernels and their recorded results, with the pages on records
set(AT_DATA ${CMAKE_INSTALL_DATADIR}/autotune)
install(DIRECTORY spaces templates DESTINATION ${AT_DATA}
  FILES_MATCHING PATTERN *.cfg PATTERN *.cu PATTERN *.cuh PATTERN *.h)
install(DIRECTORY results DESTINATION ${AT_DATA}
  FILES_MATCHING PATTERN *.json PATTERN *.h PATTERN *.md PATTERN .cache EXCLUDE)
# included by kernels' headers, for headers that are printed ("header -o -")
install(FILES tuner/record/autotune.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# unit files, batch scripts: everything there except the packaging files
install(DIRECTORY ${AT_SHARE}/ DESTINATION ${AT_DATA} USE_SOURCE_PERMISSIONS
  PATTERN cmake EXCLUDE PATTERN debian EXCLUDE)

# --- find_package(autotune) -----------------------------------------------------------
set(AT_CMAKE_DIR ${CMAKE_INSTALL_DATADIR}/cmake/autotune)
configure_package_config_file(${AT_SHARE}/cmake/autotune-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/autotune-config.cmake
  INSTALL_DESTINATION ${AT_CMAKE_DIR}
  PATH_VARS CMAKE_INSTALL_BINDIR AT_DATA
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/autotune-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/autotune-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/autotune-config-version.cmake
  ${AT_SHARE}/cmake/autotune-kernels.cmake
  DESTINATION ${AT_CMAKE_DIR})

# --- packages --------------------------------------------------------------------------
set(CPACK_GENERATOR TGZ)
find_program(AT_DPKG_DEB dpkg-deb)
if(AT_DPKG_DEB)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_NAME autotune)
set(CPACK_PACKAGE_VENDOR "the autotune authors")
set(AT_MAINTAINER "the autotune authors <autotune@localhost.localdomain>" CACHE STRING
  "who answers for packages that are made here: NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT ${AT_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tuner of CUDA kernels that verifies what it measures")
set(CPACK_PACKAGE_DESCRIPTION
  "autotune searches block sizes, tile widths, padding, unrolling, cache policies
and layouts of a CUDA kernel that is written once, as a template, for the
fastest configuration that is correct: each one is compiled, checked against a
reference and measured, on every GPU at hand or on the CPU. Winners are
written, for each device and problem, to a C header that a build includes.
.
It needs the NVIDIA driver and NVRTC of the CUDA toolkit at run time to tune on
a GPU, and a C++ compiler to tune on the CPU.")
set(CPACK_PACKAGE_FILE_NAME
  "autotune-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${AT_SHARE}/cmake/package-permissions.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, cmake")
include(CPack)
