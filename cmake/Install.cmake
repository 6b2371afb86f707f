set(bloomery_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bloomery)

install(TARGETS bloomery EXPORT bloomery-targets)
if(TARGET bloomery_redis)
  install(TARGETS bloomery_redis EXPORT bloomery-targets)
endif()
if(TARGET bloomery_guard)
  install(TARGETS bloomery_guard EXPORT bloomery-targets)
endif()
install(DIRECTORY include/bloomery DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/bloomery/version.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bloomery)
install(EXPORT bloomery-targets NAMESPACE bloomery:: DESTINATION ${bloomery_cmake_dir})

# A shared library brings zlib along, hiredis, SQLite and libpq; with a static one its user links them.
get_target_property(bloomery_type bloomery TYPE)
set(bloomery_needs_zlib OFF)
set(bloomery_pc_zlib "")
if(BLOOMERY_GZIP AND bloomery_type STREQUAL "STATIC_LIBRARY")
  set(bloomery_needs_zlib ON)
  set(bloomery_pc_zlib " -lz")
endif()
set(bloomery_has_redis OFF)
set(bloomery_needs_hiredis OFF)
set(bloomery_pc_hiredis "")
if(TARGET bloomery_redis)
  set(bloomery_has_redis ON)
  if(bloomery_type STREQUAL "STATIC_LIBRARY")
    set(bloomery_needs_hiredis ON)
    set(bloomery_pc_hiredis " -lhiredis")
  endif()
endif()
set(bloomery_has_guard OFF)
set(bloomery_needs_stores OFF)
set(bloomery_pc_stores "")
if(TARGET bloomery_guard)
  set(bloomery_has_guard ON)
  if(bloomery_type STREQUAL "STATIC_LIBRARY")
    set(bloomery_needs_stores ON)
    set(bloomery_pc_stores " -lsqlite3 -lpq")
  endif()
endif()

configure_package_config_file(cmake/bloomery-config.cmake.in bloomery-config.cmake
  INSTALL_DESTINATION ${bloomery_cmake_dir})
write_basic_package_version_file(bloomery-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/bloomery-config.cmake
  ${PROJECT_BINARY_DIR}/bloomery-config-version.cmake
  DESTINATION ${bloomery_cmake_dir})

# Relative to itself, so that a tree that was moved, or installed with another prefix, still works.
file(RELATIVE_PATH bloomery_prefix_from_pc
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/bloomery.pc.in bloomery.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bloomery.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET bloomery_redis)
  configure_file(cmake/bloomery-redis.pc.in bloomery-redis.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/bloomery-redis.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(TARGET bloomery_guard)
  configure_file(cmake/bloomery-guard.pc.in bloomery-guard.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/bloomery-guard.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
