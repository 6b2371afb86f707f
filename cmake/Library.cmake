find_path(BLOOMERY_XXHASH_INCLUDE_DIR xxhash.h)
if(NOT BLOOMERY_XXHASH_INCLUDE_DIR)
  message(FATAL_ERROR "bloomery needs xxhash.h: install libxxhash-dev (Debian) or set BLOOMERY_XXHASH_INCLUDE_DIR.")
endif()

configure_file(cmake/version.hpp.in include/bloomery/version.hpp @ONLY)

file(GLOB_RECURSE bloomery_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
add_library(bloomery ${bloomery_sources})
add_library(bloomery::bloomery ALIAS bloomery)
target_compile_features(bloomery PUBLIC cxx_std_20)
target_include_directories(bloomery PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(bloomery SYSTEM PUBLIC $<BUILD_INTERFACE:${BLOOMERY_XXHASH_INCLUDE_DIR}>)
target_link_libraries(bloomery PRIVATE $<BUILD_INTERFACE:bloomery_own_flags>)
set_target_properties(bloomery PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION 0
  POSITION_INDEPENDENT_CODE ON)
