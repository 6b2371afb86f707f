# The guard and its stores are a separate library, so that other programs need neither SQLite nor libpq.
set(bloomery_guard_default OFF)
if(TARGET bloomery_redis)
  pkg_check_modules(BLOOMERY_SQLITE QUIET IMPORTED_TARGET sqlite3)
  pkg_check_modules(BLOOMERY_LIBPQ QUIET IMPORTED_TARGET libpq)
  if(BLOOMERY_SQLITE_FOUND AND BLOOMERY_LIBPQ_FOUND)
    set(bloomery_guard_default ON)
  endif()
endif()
option(BLOOMERY_GUARD "Build the guard library (SQLite, libpq and hiredis)" ${bloomery_guard_default})
if(NOT BLOOMERY_GUARD)
  return()
endif()
if(NOT TARGET bloomery_redis)
  message(FATAL_ERROR "bloomery::guard needs bloomery::redis: configure with -DBLOOMERY_REDIS=ON, or with -DBLOOMERY_GUARD=OFF.")
endif()
if(NOT BLOOMERY_SQLITE_FOUND OR NOT BLOOMERY_LIBPQ_FOUND)
  message(FATAL_ERROR "bloomery::guard needs SQLite and libpq: install libsqlite3-dev and libpq-dev (Debian), or configure with -DBLOOMERY_GUARD=OFF.")
endif()

file(GLOB bloomery_guard_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/guard/*.cpp)
add_library(bloomery_guard ${bloomery_guard_sources})
add_library(bloomery::guard ALIAS bloomery_guard)
bloomery_in_batches(bloomery_guard 10)
target_precompile_headers(bloomery_guard REUSE_FROM bloomery)
target_link_libraries(bloomery_guard
  PUBLIC bloomery_redis
  PRIVATE PkgConfig::BLOOMERY_SQLITE PkgConfig::BLOOMERY_LIBPQ $<BUILD_INTERFACE:bloomery_own_flags>)
if(BUILD_SHARED_LIBS)
  target_link_options(bloomery_guard PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/hide_std.map)
endif()
set_target_properties(bloomery_guard PROPERTIES
  EXPORT_NAME guard
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  DEFINE_SYMBOL "" # as for bloomery
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  POSITION_INDEPENDENT_CODE ON
  INSTALL_RPATH $ORIGIN) # the other libraries are next to it
