find_path(BLOOMERY_XXHASH_INCLUDE_DIR xxhash.h)
if(NOT BLOOMERY_XXHASH_INCLUDE_DIR)
  message(FATAL_ERROR "bloomery needs xxhash.h: install libxxhash-dev (Debian) or set BLOOMERY_XXHASH_INCLUDE_DIR.")
endif()

if(BLOOMERY_GZIP)
  find_package(ZLIB)
  if(NOT ZLIB_FOUND)
    message(FATAL_ERROR "bloomery needs zlib: install zlib1g-dev (Debian), or configure with -DBLOOMERY_GZIP=OFF.")
  endif()
endif()

configure_file(cmake/version.hpp.in include/bloomery/version.hpp @ONLY)

# The kernels: each is compiled for its own processors, the rest of the library for all of them.
# They are optimised in every build: what is not inlined could be linked to from elsewhere.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kernel/avx2.cpp PROPERTIES
    COMPILE_OPTIONS "-O3;-mavx2;-mbmi2;-mno-avx512f")
  # GCC 12 takes its own headers' undefined vectors for mistakes.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kernel/avx512.cpp PROPERTIES
    COMPILE_OPTIONS "-O3;-mavx2;-mbmi2;-mavx512f;-mavx512dq;-mavx512bw;-mavx512vl;-Wno-uninitialized;$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
endif()

file(GLOB_RECURSE bloomery_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
list(FILTER bloomery_sources EXCLUDE REGEX "/src/(redis|guard)/[^/]*$") # see Redis.cmake, Guard.cmake
add_library(bloomery ${bloomery_sources})
add_library(bloomery::bloomery ALIAS bloomery)
# The kernels stay apart, because each is compiled for its own processors; so do the lists of filter types, each of which
# is a batch's work by itself. The two faces of the formats open the whole namespace of these for themselves.
file(GLOB kernel_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernel/*.cpp)
file(GLOB type_lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/filter/foreign_*.cpp)
bloomery_in_batches(bloomery 8 ${kernel_sources} ${type_lists} ${PROJECT_SOURCE_DIR}/src/filter/any_kinds.cpp
  ${PROJECT_SOURCE_DIR}/src/format/file.cpp ${PROJECT_SOURCE_DIR}/src/format/foreign_file.cpp)
# What nearly every source includes is read once. A kernel has flags of its own, and must not see more than it asks for.
target_precompile_headers(bloomery PRIVATE
  <bloomery/bloomery.hpp> <algorithm> <charconv> <cmath> <filesystem> <limits>)
set_source_files_properties(${kernel_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
target_compile_features(bloomery PUBLIC cxx_std_20)
target_include_directories(bloomery PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(bloomery SYSTEM PUBLIC $<BUILD_INTERFACE:${BLOOMERY_XXHASH_INCLUDE_DIR}>)
find_package(Threads REQUIRED)
target_link_libraries(bloomery PRIVATE Threads::Threads $<BUILD_INTERFACE:bloomery_own_flags>)
if(BLOOMERY_GZIP)
  target_link_libraries(bloomery PRIVATE ZLIB::ZLIB)
else()
  # of this file alone, so that all libraries can share what was compiled of headers
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/format/gzip.cpp PROPERTIES
    COMPILE_DEFINITIONS BLOOMERY_WITHOUT_ZLIB)
endif()
set_target_properties(bloomery PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION 0
  DEFINE_SYMBOL "" # compiled the same, static or shared: a cache of objects serves both
  POSITION_INDEPENDENT_CODE ON)
