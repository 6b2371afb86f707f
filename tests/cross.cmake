# What the tests need when they are compiled for another processor (see long/cross.sh). Debian has
# GoogleTest as a source, but RapidCheck for this machine only: tests that use it are left out.
set(INSTALL_GTEST OFF)
set(BUILD_GMOCK OFF)
add_subdirectory(/usr/src/googletest ${CMAKE_CURRENT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)

# Removes the sources that cannot be compiled here from a list.
function(bloomery_leave_out list)
  foreach(file ${${list}})
    file(STRINGS ${file} needs REGEX "#include <rapidcheck")
    if(needs)
      list(REMOVE_ITEM ${list} ${file})
    endif()
  endforeach()
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()
