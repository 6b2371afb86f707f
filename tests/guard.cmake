# Guards in front of real databases, which the tests start and stop themselves.
target_link_libraries(test_guard PRIVATE
  bloomery::guard bloomery_local_servers PkgConfig::BLOOMERY_HIREDIS PkgConfig::BLOOMERY_SQLITE
  PkgConfig::BLOOMERY_LIBPQ)
target_sources(test_guard PRIVATE redis/redis_server.cpp)

# A PostgreSQL server takes a second to start, so its tests share one. The long tests find nothing more under a
# sanitizer, and take even longer there.
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
