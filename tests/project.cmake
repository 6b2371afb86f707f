# Tests of the project itself: its layers, its style, its pages, and what a consumer gets.
set(here ${CMAKE_CURRENT_SOURCE_DIR})

function(add_project_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  string(REGEX REPLACE "\\..*" "" label ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()
# Those that take long, or need more packages: `./dev test --full`.
function(add_full_test name)
  add_project_test(${name} ${ARGN})
  set_property(TEST ${name} APPEND PROPERTY LABELS full)
endfunction()

add_project_test(layers.check ${here}/layers/check.sh ${PROJECT_SOURCE_DIR})
add_full_test(layers.check_test ${BLOOMERY_BATS} ${here}/layers/check_test.bats)
add_project_test(layers.kernels ${here}/kernel/symbols.sh $<TARGET_FILE:bloomery>)
add_project_test(build.targets ${BLOOMERY_BATS} ${here}/build/targets.bats)
add_project_test(build.header_cost ${here}/build/header_cost.sh ${PROJECT_BINARY_DIR})
set_tests_properties(build.header_cost PROPERTIES SKIP_RETURN_CODE 77)
add_project_test(build.refusals ${here}/build/refusals.sh ${PROJECT_BINARY_DIR})
if(PROJECT_IS_TOP_LEVEL AND BLOOMERY_BUILD_BENCH AND BLOOMERY_UNITY AND CMAKE_GENERATOR STREQUAL Ninja)
  add_project_test(build.demo_objects ${here}/build/demo_objects.sh ${PROJECT_BINARY_DIR})
endif()
add_project_test(docs.links ${here}/docs/links.sh ${PROJECT_SOURCE_DIR})
add_project_test(docs.examples ${here}/docs/readme_examples.sh
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} $<TARGET_FILE:bloomery>)
add_project_test(docs.examples_test ${BLOOMERY_BATS} ${here}/docs/examples_test.bats)
add_full_test(consumer.builds ${here}/consumer/run.sh
  ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/consumer)
add_full_test(lint.format ${here}/lint/format.sh)
add_full_test(lint.shell ${here}/lint/shell.sh)
add_project_test(lint.man ${here}/lint/man.sh ${PROJECT_BINARY_DIR})
# ./dev lint looks at the sources too.
add_full_test(lint.tidy ${here}/lint/tidy.sh headers)

# The long ones start first; clang-tidy takes all processors by itself.
set_tests_properties(consumer.builds PROPERTIES COST 500)
set_tests_properties(lint.tidy PROPERTIES COST 1000 RUN_SERIAL ON TIMEOUT 1800)
