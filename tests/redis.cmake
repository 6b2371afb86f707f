# Tests against real servers, which the tests start and end by themselves. Of clusters there is one
# at a time: its servers would take each other for dead if they had to share two processors.
pkg_check_modules(BLOOMERY_HIREDIS REQUIRED QUIET IMPORTED_TARGET hiredis)
target_link_libraries(test_redis PRIVATE bloomery::redis PkgConfig::BLOOMERY_HIREDIS)

# What moves much data, or waits for a fail-over, is the same under a sanitizer and takes long there.
set(without_long "")
if(BLOOMERY_SANITIZE)
  set(without_long ":*Long.*")
endif()
gtest_discover_tests(test_redis TEST_PREFIX ${variant}redis. DISCOVERY_TIMEOUT 60
  TEST_FILTER "-Cluster*${without_long}"
  PROPERTIES TIMEOUT 300)
string(REPLACE ":" ":-" without_long "${without_long}")
gtest_discover_tests(test_redis TEST_PREFIX ${variant}redis. DISCOVERY_TIMEOUT 60
  TEST_FILTER "Cluster*${without_long}" TEST_LIST test_redis_clusters
  PROPERTIES TIMEOUT 300 COST 100 RESOURCE_LOCK redis_cluster)
