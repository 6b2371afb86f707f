# The tests of the Python package, which are in tools/python/tests: one test per file.
set(tests ${PROJECT_SOURCE_DIR}/tools/python/tests)
file(GLOB scripts CONFIGURE_DEPENDS ${tests}/test_*.py)
set(environment PYTHONPATH=${PROJECT_BINARY_DIR}/python BLOOMERY=${PROJECT_BINARY_DIR}/bloomery PYTHONDONTWRITEBYTECODE=1)
if(BLOOMERY_SANITIZE)
  # The interpreter is not instrumented, so the sanitizer is loaded before it. What the interpreter never frees is not a
  # leak of ours: test_memory.py looks for those. Other processes would need the same preparations.
  list(FILTER scripts EXCLUDE REGEX "/test_(docs|memory|processes|spark)\\.py$")
  foreach(library asan stdc++)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${library}.so
      OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND preloaded ${file})
  endforeach()
  list(JOIN preloaded ":" preloaded)
  list(APPEND environment LD_PRELOAD=${preloaded}
    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0)
endif()
foreach(script ${scripts})
  string(REGEX REPLACE ".*/test_(.*)\\.py$" "\\1" name ${script})
  add_test(NAME ${variant}python.${name}
    COMMAND ${bloomery_python_interpreter} -m pytest -q --no-header ${script}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set(labels python)
  if(name STREQUAL spark)
    list(APPEND labels full)
  endif()
  # pytest ends with 5 if it skips a whole file: Spark is installed by ./dev test --full only.
  set_tests_properties(${variant}python.${name} PROPERTIES
    LABELS "${labels}" TIMEOUT 600 SKIP_RETURN_CODE 5 ENVIRONMENT "${environment}")
endforeach()
if(NOT BLOOMERY_SANITIZE)
  add_test(NAME python.types COMMAND ${bloomery_python_interpreter} -m mypy --cache-dir ${PROJECT_BINARY_DIR}/mypy
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(python.types PROPERTIES LABELS python ENVIRONMENT "MYPYPATH=${PROJECT_SOURCE_DIR}/tools/python")
  add_test(NAME python.install COMMAND ${tests}/install.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/python-install)
  set_tests_properties(python.install PROPERTIES LABELS "python;full" TIMEOUT 1200 COST 60)
endif()
