# The tests of the npm package and of the page, in tools/web: one test per file. `./dev` builds what they test, in
# build-web/.
set(web ${PROJECT_SOURCE_DIR}/tools/web)

# add_web_test(NAME FILE [VARIABLE=VALUE...])
function(add_web_test name file)
  add_test(NAME web.${name} COMMAND ${BLOOMERY_NODE} --test --test-reporter=spec ${file} WORKING_DIRECTORY ${web})
  set_tests_properties(web.${name} PROPERTIES LABELS web TIMEOUT 1200
    ENVIRONMENT "BLOOMERY=${PROJECT_BINARY_DIR}/bloomery;${ARGN}")
endfunction()

file(GLOB files CONFIGURE_DEPENDS ${web}/package/test/*.test.mjs)
foreach(file ${files})
  string(REGEX REPLACE ".*/(.*)\\.test\\.mjs$" "package_\\1" name ${file})
  add_web_test(${name} ${file})
endforeach()
file(GLOB files CONFIGURE_DEPENDS ${web}/tests/*.test.mjs)
foreach(file ${files})
  string(REGEX REPLACE ".*/(.*)\\.test\\.mjs$" "\\1" name ${file})
  add_web_test(${name} ${file})
  # Those that have more to do in the full round, such as files of gigabytes.
  file(STRINGS ${file} full REGEX "BLOOMERY_WEB_FULL")
  if(full)
    add_web_test(${name}_full ${file} BLOOMERY_WEB_FULL=1)
    set_tests_properties(web.${name}_full PROPERTIES LABELS "web;full" COST 100 TIMEOUT 1800)
  endif()
endforeach()
