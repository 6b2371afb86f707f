# The SQLite extension: linked into test_sqlite, and loaded by the shell.
target_link_libraries(test_sqlite PRIVATE bloomery_sqlite_static sqlite3)
add_dependencies(test_sqlite bloomery_sqlite)
find_program(BLOOMERY_SQLITE_SHELL sqlite3)
if(BLOOMERY_SQLITE_SHELL AND NOT BLOOMERY_SANITIZE)
  file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/sqlite/*.bats)
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    add_test(NAME sqlite.${name} COMMAND ${BLOOMERY_BATS} ${script})
    set_tests_properties(sqlite.${name} PROPERTIES LABELS sqlite ENVIRONMENT
      "BLOOMERY=${PROJECT_BINARY_DIR}/bloomery;BLOOMERY_SQLITE=$<TARGET_FILE:bloomery_sqlite>")
  endforeach()
endif()
