# The tests of threads, the command's, the filters', those of mapped files and of guards, once more, under ThreadSanitizer, which
# cannot be combined with the sanitizers of the other build. What works on bits that threads share is compiled anew,
# because a library without the sanitizer would hide its races; the rest is taken as it is.
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

bloomery_kernel_flags()
get_target_property(library_sources bloomery SOURCES)
list(FILTER library_sources INCLUDE REGEX
  "/src/(kernel/|filter/(accurate|counting|parallel)|format/(file|mapped|native|posix_file|reader|replacement))")
get_target_property(parts_folder bloomery_cli_parts SOURCE_DIR)
get_target_property(parts_sources bloomery_cli_parts SOURCES)
list(TRANSFORM parts_sources PREPEND ${parts_folder}/)

add_executable(test_threads_sanitized
  ${CMAKE_CURRENT_SOURCE_DIR}/cli_parts/threads.cpp ${CMAKE_CURRENT_SOURCE_DIR}/filter/shared.cpp
  ${CMAKE_CURRENT_SOURCE_DIR}/format/mapped.cpp ${CMAKE_CURRENT_SOURCE_DIR}/format/shared_file.cpp
  ${parts_sources} ${library_sources})
# Guards: all of them but the databases.
if(TARGET bloomery::guard)
  file(GLOB guard_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/guard/*.cpp)
  list(FILTER guard_sources EXCLUDE REGEX "/(sql|postgres|redis)[^/]*$")
  set(guard_tests get put_and_erase single_flight threads)
  list(TRANSFORM guard_tests PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/guard/)
  list(TRANSFORM guard_tests APPEND .cpp)
  target_sources(test_threads_sanitized PRIVATE ${guard_tests} ${guard_sources})
endif()
# The sanitizer does not know fences. The library has two, which order what other processes see.
target_compile_options(test_threads_sanitized PRIVATE
  -fsanitize=thread -O1 -g1 $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
target_link_options(test_threads_sanitized PRIVATE -fsanitize=thread)
target_include_directories(test_threads_sanitized PRIVATE
  ${CMAKE_CURRENT_SOURCE_DIR}/support ${parts_folder}
)
target_link_libraries(test_threads_sanitized PRIVATE
  bloomery::bloomery bloomery_own_flags CLI11::CLI11 fmt::fmt GTest::gtest_main Threads::Threads)

add_test(NAME threads.sanitized COMMAND test_threads_sanitized)
set_tests_properties(threads.sanitized PROPERTIES
  TIMEOUT 300
  ENVIRONMENT TSAN_OPTIONS=halt_on_error=1)

# Clients of Redis that threads share: what has threads in it is compiled anew, the rest is taken as it is.
if(TARGET bloomery::redis)
  set(redis_sources client connection exchange filter filter_keys pool)
  list(TRANSFORM redis_sources PREPEND ${PROJECT_SOURCE_DIR}/src/redis/)
  list(TRANSFORM redis_sources APPEND .cpp)
  add_executable(test_redis_threads_sanitized
    ${CMAKE_CURRENT_SOURCE_DIR}/redis/client.cpp ${CMAKE_CURRENT_SOURCE_DIR}/redis/filter_split.cpp
    ${CMAKE_CURRENT_SOURCE_DIR}/redis/redis_server.cpp ${redis_sources})
  target_compile_options(test_redis_threads_sanitized PRIVATE
    -fsanitize=thread -O0 -g1 $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  target_link_options(test_redis_threads_sanitized PRIVATE -fsanitize=thread)
  target_include_directories(test_redis_threads_sanitized PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/support)
  target_link_libraries(test_redis_threads_sanitized PRIVATE bloomery::redis
    PkgConfig::BLOOMERY_HIREDIS bloomery_own_flags GTest::gtest_main Threads::Threads)
  add_test(NAME threads.redis
    COMMAND test_redis_threads_sanitized --gtest_filter=Client.IsSharedByThreads:SplitFilter.*Many*)
  set_tests_properties(threads.redis PROPERTIES
    TIMEOUT 300
    ENVIRONMENT TSAN_OPTIONS=halt_on_error=1)
endif()
