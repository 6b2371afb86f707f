# Writes the suites of a GoogleTest program to a file that ctest reads: -Dprogram= -Dprefix= -Dlist= -P list_suites.cmake
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[^ \n][^ \n]*\\.( |\n)" suites "${output}") # indented lines are tests
set(text "")
foreach(suite ${suites})
  string(REGEX REPLACE "^\n|\\.[ \n]$" "" suite "${suite}")
  string(APPEND text "add_test([=[${prefix}${suite}]=] [=[${program}]=] [=[--gtest_filter=${suite}.*]=])\n"
    "set_tests_properties([=[${prefix}${suite}]=] PROPERTIES LABELS unit)\n")
endforeach()
if(text STREQUAL "")
  message(FATAL_ERROR "${program} has no tests")
endif()
file(WRITE ${list} "${text}")
