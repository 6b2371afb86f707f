# Guards before real databases, which the tests start and end by themselves.
target_link_libraries(test_guard PRIVATE
  bloomery::guard bloomery_cli_parts PkgConfig::BLOOMERY_HIREDIS PkgConfig::BLOOMERY_SQLITE
  PkgConfig::BLOOMERY_LIBPQ)
target_sources(test_guard PRIVATE redis/redis_server.cpp)

# A PostgreSQL takes a second to make, so that its tests share one. What is long is the same under a sanitizer, and
# takes longer there.
set(quick "-Postgres*:*Long.*")
gtest_discover_tests(test_guard TEST_PREFIX ${variant}guard. DISCOVERY_TIMEOUT 60
  TEST_FILTER "${quick}"
  PROPERTIES TIMEOUT 300)
add_test(NAME ${variant}guard.postgres COMMAND test_guard --gtest_filter=Postgres*:-*Long.*)
set_tests_properties(${variant}guard.postgres PROPERTIES TIMEOUT 600 COST 50)
if(NOT BLOOMERY_SANITIZE)
  gtest_discover_tests(test_guard TEST_PREFIX guard. DISCOVERY_TIMEOUT 60
    TEST_FILTER "*Long.*" TEST_LIST test_guard_long
    PROPERTIES LABELS full TIMEOUT 600 COST 90)
endif()
