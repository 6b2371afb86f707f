# The tests of threads under ThreadSanitizer, which cannot be combined with the other sanitizers: those of the C
# interface, of the command, of the filters, of mapped files, of guards, and of clients of Redis that threads share. All
# libraries have the sanitizer too, because one without would hide its races.
set(sources c/threads.cpp cli_parts/threads.cpp filter/shared.cpp format/any_shared.cpp format/mapped.cpp
  format/shared_file.cpp)
set(libraries bloomery_cli_parts)
if(TARGET bloomery::redis)
  list(APPEND sources redis/client.cpp redis/filter_split.cpp redis/redis_server.cpp)
  list(APPEND libraries bloomery::redis PkgConfig::BLOOMERY_HIREDIS)
endif()
if(TARGET bloomery::guard)
  list(APPEND sources guard/get.cpp guard/put_and_erase.cpp guard/single_flight.cpp guard/threads.cpp)
  list(APPEND libraries bloomery::guard)
endif()
add_executable(test_threads ${sources})
target_include_directories(test_threads PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/support)
target_link_libraries(test_threads PRIVATE ${libraries} bloomery_own_flags ${test_libraries} Threads::Threads)

set(environment TSAN_OPTIONS=halt_on_error=1)
add_test(NAME thread.all COMMAND test_threads --gtest_filter=-Client*:SplitFilter*)
set_tests_properties(thread.all PROPERTIES TIMEOUT 300 ENVIRONMENT ${environment})
if(TARGET bloomery::redis)
  # Of the tests of the Redis client, those with threads.
  add_test(NAME thread.redis COMMAND test_threads --gtest_filter=Client.IsSharedByThreads:SplitFilter.*Many*)
  set_tests_properties(thread.redis PROPERTIES TIMEOUT 300 ENVIRONMENT ${environment})
endif()
