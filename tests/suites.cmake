# bloomery_discover_suites(TARGET PREFIX): as gtest_discover_tests, with one test per suite instead of one per TEST.
# A program under a sanitizer takes longer to start than most tests take to run.
function(bloomery_discover_suites target prefix)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  add_custom_command(TARGET ${target} POST_BUILD
    BYPRODUCTS ${list}
    COMMAND ${CMAKE_COMMAND} -Dprogram=$<TARGET_FILE:${target}> -Dprefix=${prefix} -Dlist=${list}
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/list_suites.cmake
    VERBATIM)
  # ctest reads the list; a program that was not built fails as a test that was not found.
  set(reader ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites_if_built.cmake)
  file(WRITE ${reader}
    "if(EXISTS \"${list}\")\n  include(\"${list}\")\nelse()\n  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${reader})
endfunction()
