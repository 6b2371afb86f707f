# Filters in Redis are a separate library, so that other programs do not need hiredis.
set(bloomery_redis_default OFF)
if(NOT CMAKE_CROSSCOMPILING)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(BLOOMERY_HIREDIS QUIET IMPORTED_TARGET hiredis)
  endif()
  if(BLOOMERY_HIREDIS_FOUND)
    set(bloomery_redis_default ON)
  endif()
endif()
option(BLOOMERY_REDIS "Build the library for filters in Redis (hiredis)" ${bloomery_redis_default})
if(NOT BLOOMERY_REDIS)
  return()
endif()
if(NOT BLOOMERY_HIREDIS_FOUND)
  message(FATAL_ERROR "bloomery::redis needs hiredis: install libhiredis-dev and pkg-config (Debian), or configure with -DBLOOMERY_REDIS=OFF.")
endif()

file(GLOB bloomery_redis_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/redis/*.cpp)
add_library(bloomery_redis ${bloomery_redis_sources})
add_library(bloomery::redis ALIAS bloomery_redis)
bloomery_in_batches(bloomery_redis 15)
target_link_libraries(bloomery_redis
  PUBLIC bloomery
  PRIVATE PkgConfig::BLOOMERY_HIREDIS $<BUILD_INTERFACE:bloomery_own_flags>)
if(BUILD_SHARED_LIBS)
  target_link_options(bloomery_redis PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/hide_std.map)
endif()
set_target_properties(bloomery_redis PROPERTIES
  EXPORT_NAME redis
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  DEFINE_SYMBOL "" # as for bloomery
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  POSITION_INDEPENDENT_CODE ON
  INSTALL_RPATH $ORIGIN) # libbloomery_cpp is next to it
