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
add_project_test(compile_fail.messages ${here}/compile_fail/run.sh
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER})
add_full_test(compile_fail.messages_of_clang ${here}/compile_fail/run.sh
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} clang++-19)
add_full_test(build.two_march ${here}/build/two_march.sh ${PROJECT_BINARY_DIR} $<TARGET_FILE:bloomery>
  $<IF:$<BOOL:${BLOOMERY_GZIP}>,-lz,-pthread>)
set_tests_properties(build.two_march PROPERTIES SKIP_RETURN_CODE 77)
if(PROJECT_IS_TOP_LEVEL AND BLOOMERY_BUILD_BENCH AND BLOOMERY_UNITY AND CMAKE_GENERATOR STREQUAL Ninja)
  add_project_test(build.demo_objects ${here}/build/demo_objects.sh ${PROJECT_BINARY_DIR})
endif()
add_project_test(surface.headers ${here}/surface/headers.sh ${PROJECT_SOURCE_DIR})
add_full_test(surface.headers_alone ${here}/surface/headers.sh
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER})
set(libraries $<TARGET_FILE:bloomery>)
foreach(library bloomery_redis bloomery_guard)
  if(TARGET ${library})
    list(APPEND libraries $<TARGET_FILE:${library}>)
  endif()
endforeach()
add_project_test(surface.exports ${here}/surface/exports.sh calls ${PROJECT_BINARY_DIR} ${libraries})
add_project_test(docs.reference ${PROJECT_SOURCE_DIR}/docs/make_reference.py --check)
add_project_test(docs.links ${here}/docs/links.sh ${PROJECT_SOURCE_DIR})
add_project_test(docs.translations ${here}/docs/translations.sh ${PROJECT_SOURCE_DIR})
add_project_test(docs.translations_test ${BLOOMERY_BATS} ${here}/docs/translations_test.bats)
add_project_test(docs.examples ${here}/docs/readme_examples.sh
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} $<TARGET_FILE:bloomery>)
add_project_test(docs.examples_test ${BLOOMERY_BATS} ${here}/docs/examples_test.bats)
add_full_test(gdb.printers ${here}/gdb/printers.sh
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} $<TARGET_FILE:bloomery> ${CMAKE_CXX_COMPILER})
set_tests_properties(gdb.printers PROPERTIES SKIP_RETURN_CODE 77)
add_full_test(c.abi ${here}/c/abi.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(c.abi PROPERTIES SKIP_RETURN_CODE 77)
add_full_test(consumer.builds ${here}/consumer/run.sh
  ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/consumer)
if(TARGET bloomery_gpu)
  add_full_test(gpu.cuda ${here}/gpu/cuda.sh ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/gpu-cuda)
  set_tests_properties(gpu.cuda PROPERTIES SKIP_RETURN_CODE 77 COST 400 TIMEOUT 1800)
endif()
add_full_test(lint.format ${here}/lint/format.sh)
add_full_test(lint.shell ${here}/lint/shell.sh)
add_project_test(lint.man ${here}/lint/man.sh ${PROJECT_BINARY_DIR})
# ./dev lint checks the sources too.
add_full_test(lint.tidy ${here}/lint/tidy.sh headers)

# The long ones start first.
set_tests_properties(consumer.builds PROPERTIES COST 500 TIMEOUT 1800)
set_tests_properties(docs.examples build.two_march compile_fail.messages PROPERTIES COST 80)
set_tests_properties(lint.tidy PROPERTIES COST 400 TIMEOUT 1800)
set_tests_properties(surface.headers_alone PROPERTIES COST 300 TIMEOUT 1800)
