set(bloomery_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bloomery)

install(TARGETS bloomery EXPORT bloomery-targets)
if(TARGET bloomery_redis)
  install(TARGETS bloomery_redis EXPORT bloomery-targets)
endif()
if(TARGET bloomery_guard)
  install(TARGETS bloomery_guard EXPORT bloomery-targets)
endif()
if(TARGET bloomery_gpu AND BLOOMERY_GPU)
  install(TARGETS bloomery_gpu EXPORT bloomery-targets)
endif()
# The library for C has its own export: it needs neither C++ nor xxhash.h.
if(TARGET bloomery_c)
  install(TARGETS bloomery_c EXPORT bloomery-c-targets)
  install(EXPORT bloomery-c-targets NAMESPACE bloomery:: DESTINATION ${bloomery_cmake_dir})
endif()
install(DIRECTORY include/bloomery DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES include/bloomery.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/bloomery/version.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bloomery)
# gdb finds the second by itself if the prefix is gdb's own, such as /usr.
install(FILES tools/gdb/bloomery-gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/bloomery)
if(bloomery_type STREQUAL "SHARED_LIBRARY")
  install(FILES tools/gdb/bloomery-gdb.py
    DESTINATION ${CMAKE_INSTALL_DATADIR}/gdb/auto-load${CMAKE_INSTALL_FULL_LIBDIR}
    RENAME libbloomery_cpp.so.${PROJECT_VERSION}-gdb.py)
endif()
install(EXPORT bloomery-targets NAMESPACE bloomery:: DESTINATION ${bloomery_cmake_dir})

# A shared library links zlib, hiredis, SQLite and libpq itself; with a static one, the program links them.
set(bloomery_needs_zlib OFF)
set(bloomery_pc_zlib "")
# -lbloomery would be the library for C.
set(bloomery_pc_library -l:libbloomery.a)
if(bloomery_type STREQUAL "SHARED_LIBRARY")
  set(bloomery_pc_library -lbloomery_cpp)
endif()
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

set(bloomery_has_gpu OFF)
set(bloomery_needs_cuda OFF)
if(TARGET bloomery_gpu AND BLOOMERY_GPU)
  set(bloomery_has_gpu ON)
  if(bloomery_type STREQUAL "STATIC_LIBRARY")
    set(bloomery_needs_cuda ON)
  endif()
endif()

configure_package_config_file(cmake/bloomery-config.cmake.in bloomery-config.cmake
  INSTALL_DESTINATION ${bloomery_cmake_dir})
write_basic_package_version_file(bloomery-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/bloomery-config.cmake
  ${PROJECT_BINARY_DIR}/bloomery-config-version.cmake
  DESTINATION ${bloomery_cmake_dir})

# Relative to the file, so that a tree that was moved, or installed with another prefix, still works.
file(RELATIVE_PATH bloomery_prefix_from_pc
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/bloomery.pc.in bloomery.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bloomery.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET bloomery_c)
  configure_file(cmake/bloomery-c.pc.in bloomery-c.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/bloomery-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
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
