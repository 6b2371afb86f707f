# Tests with real servers, which the tests start and stop themselves. There is one cluster at a time: with two on the
# same two processors, servers would consider each other dead.
pkg_check_modules(BLOOMERY_HIREDIS REQUIRED QUIET IMPORTED_TARGET hiredis)
target_link_libraries(test_redis PRIVATE bloomery::redis PkgConfig::BLOOMERY_HIREDIS)
target_link_libraries(test_redis_module PRIVATE
  bloomery::redis PkgConfig::BLOOMERY_HIREDIS bloomery_module_parts)
target_sources(test_redis_module PRIVATE redis/redis_server.cpp redis/redis_cluster.cpp)
add_dependencies(test_redis_module bloomery_module)

# Tests that move much data, or wait for a failover, find nothing more under a sanitizer and take long there.
set(outside_clusters "-Cluster*")
set(clusters "Cluster*")
if(BLOOMERY_SANITIZE)
  string(APPEND outside_clusters ":*Long.*")
  string(APPEND clusters ":-*Long.*")
endif()
gtest_discover_tests(test_redis TEST_PREFIX ${variant}redis. DISCOVERY_TIMEOUT 60
  TEST_FILTER "${outside_clusters}"
  PROPERTIES TIMEOUT 300)
gtest_discover_tests(test_redis TEST_PREFIX ${variant}redis. DISCOVERY_TIMEOUT 60
  TEST_FILTER "${clusters}" TEST_LIST test_redis_clusters
  PROPERTIES LABELS full TIMEOUT 300 COST 100 RESOURCE_LOCK redis_cluster)

# The module in a real server. Under a sanitizer, the server preloads the sanitizer's library.
set(module_environment "")
if(BLOOMERY_SANITIZE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so
    OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(module_environment "BLOOMERY_SERVER_PRELOAD=${asan}")
endif()
gtest_discover_tests(test_redis_module TEST_PREFIX ${variant}redis_module. DISCOVERY_TIMEOUT 60
  TEST_FILTER "${outside_clusters}"
  PROPERTIES TIMEOUT 300 ENVIRONMENT "${module_environment}")
if(NOT BLOOMERY_SANITIZE)
  gtest_discover_tests(test_redis_module TEST_PREFIX redis_module. DISCOVERY_TIMEOUT 60
    TEST_FILTER "${clusters}" TEST_LIST test_redis_module_clusters
    PROPERTIES LABELS full TIMEOUT 300 COST 100 RESOURCE_LOCK redis_cluster)
  # Prints the table in docs/redis-module.md.
  add_test(NAME redis_module.LongestCommandsOf100000
    COMMAND test_redis_module --gtest_filter=ModuleLongestCommands.*)
  set_tests_properties(redis_module.LongestCommandsOf100000 PROPERTIES
    LABELS full TIMEOUT 900 COST 100 ENVIRONMENT "BLOOMERY_HOSTILE_INPUTS=100000")
endif()
