# Tests against real servers, which the tests start and end by themselves. Of clusters there is one
# at a time: its servers would take each other for dead if they had to share two processors.
pkg_check_modules(BLOOMERY_HIREDIS REQUIRED QUIET IMPORTED_TARGET hiredis)
target_link_libraries(test_redis PRIVATE bloomery::redis PkgConfig::BLOOMERY_HIREDIS)
target_link_libraries(test_redis_module PRIVATE
  bloomery::redis PkgConfig::BLOOMERY_HIREDIS bloomery_module_parts)
target_sources(test_redis_module PRIVATE redis/redis_server.cpp redis/redis_cluster.cpp)
target_compile_definitions(test_redis_module PRIVATE
  BLOOMERY_MODULE="$<TARGET_FILE:bloomery_module>")
add_dependencies(test_redis_module bloomery_module)

# What moves much data, or waits for a fail-over, is the same under a sanitizer and takes long there.
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

# The module in a real server. Under a sanitizer the server takes its library along.
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
endif()
