# The PostgreSQL extension in a real server, which each file of tests starts and ends.
add_library(bloomery_mutate MODULE postgres/mutate/mutate.c)
target_include_directories(bloomery_mutate SYSTEM PRIVATE
  ${BLOOMERY_POSTGRES_INCLUDE_DIR} ${BLOOMERY_XXHASH_INCLUDE_DIR})
target_compile_options(bloomery_mutate PRIVATE -Wall -Wextra -Werror -Wno-unused-parameter -fno-strict-aliasing -fwrapv)
set_target_properties(bloomery_mutate PROPERTIES
  C_STANDARD 11 C_VISIBILITY_PRESET hidden PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/postgres)

file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/postgres/*.bats)
foreach(script ${scripts})
  get_filename_component(name ${script} NAME_WE)
  add_test(NAME postgres.${name} COMMAND ${BLOOMERY_BATS} ${script})
  set(labels postgres)
  if(name MATCHES "^(mutations_long|pg_upgrade|valgrind)$")
    list(APPEND labels full)
  endif()
  set_tests_properties(postgres.${name} PROPERTIES LABELS "${labels}" TIMEOUT 900 COST 40
    ENVIRONMENT "BLOOMERY_BUILD=${PROJECT_BINARY_DIR};BLOOMERY_PG_CONFIG=${BLOOMERY_PG_CONFIG}")
endforeach()
