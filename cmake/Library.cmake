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
# They are optimised in every build: functions that are not inlined could be linked into other code.
set(kernels scalar scalar_kinds neon avx2 avx2_accurate avx512 avx512_vbmi)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kernel/avx2.cpp PROPERTIES
    COMPILE_OPTIONS "-O3;-mavx2;-mbmi;-mbmi2;-mpopcnt;-mno-avx512f")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kernel/avx2_accurate.cpp PROPERTIES
    COMPILE_OPTIONS "-O3;-fno-tree-vectorize;-mbmi;-mbmi2;-mpopcnt;-mno-avx")
  # GCC 12 warns about undefined vectors in its own headers.
  set(avx512_options "-O3;-mavx2;-mbmi;-mbmi2;-mpopcnt;-mavx512f;-mavx512dq;-mavx512bw;-mavx512vl;-Wno-uninitialized;$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kernel/avx512.cpp PROPERTIES
    COMPILE_OPTIONS "${avx512_options}")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kernel/avx512_vbmi.cpp PROPERTIES
    COMPILE_OPTIONS "${avx512_options};-mavx512vbmi;-mavx512vbmi2;-mgfni")
endif()

file(GLOB_RECURSE bloomery_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
list(FILTER bloomery_sources EXCLUDE REGEX "/src/(redis|guard|gpu)/[^/]*$") # see Redis.cmake, Guard.cmake, Gpu.cmake
add_library(bloomery ${bloomery_sources})
add_library(bloomery::bloomery ALIAS bloomery)
list(TRANSFORM kernels PREPEND ${PROJECT_SOURCE_DIR}/src/kernel/ OUTPUT_VARIABLE kernel_sources)
list(TRANSFORM kernel_sources APPEND .cpp)
file(GLOB type_lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/filter/foreign_*.cpp)
# What nearly every source includes is read once. Kernels have their own flags, and must include only what they need.
target_precompile_headers(bloomery PRIVATE
  <bloomery/bloomery.hpp> <algorithm> <charconv> <cmath> <filesystem> <limits>)
set_source_files_properties(${kernel_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
# Functions and loops begin where they always do: elsewhere the same loop takes up to a tenth longer.
set_property(SOURCE ${kernel_sources} APPEND PROPERTY COMPILE_OPTIONS -falign-functions=64 -falign-loops=32)
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
  # for this file only, so that all libraries can share the precompiled headers
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/format/gzip.cpp PROPERTIES
    COMPILE_DEFINITIONS BLOOMERY_WITHOUT_ZLIB)
endif()
# The kernels are compiled separately, because each is for its own processors; so are the lists of filter types, each of
# which takes as long as a batch. file.cpp and foreign_file.cpp open the whole namespace of the formats.
bloomery_in_batches(bloomery 8 ${kernel_sources} ${type_lists} ${PROJECT_SOURCE_DIR}/src/filter/any_kinds.cpp
  ${PROJECT_SOURCE_DIR}/src/format/file.cpp ${PROJECT_SOURCE_DIR}/src/format/foreign_file.cpp)
set_target_properties(bloomery PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} # the C++ interface may change with every minor version
  DEFINE_SYMBOL "" # compiled the same way, static or shared, so that ccache serves both
  CXX_VISIBILITY_PRESET hidden # see detail/export.hpp
  VISIBILITY_INLINES_HIDDEN ON
  POSITION_INDEPENDENT_CODE ON)
get_target_property(bloomery_type bloomery TYPE)
if(bloomery_type STREQUAL "SHARED_LIBRARY")
  # libbloomery.so is the library for C, so this one has another name.
  set(cpp_map ${PROJECT_SOURCE_DIR}/cmake/bloomery_cpp.map)
  target_link_options(bloomery PRIVATE -Wl,--version-script=${cpp_map})
  set_target_properties(bloomery PROPERTIES OUTPUT_NAME bloomery_cpp LINK_DEPENDS ${cpp_map})
endif()

# The shared library for C, made from the objects of the C++ library. It exports the functions of bloomery.h and nothing
# else: its soname stands for their ABI alone, and no other copy of the C++ library in a process can replace its code.
set(bloomery_c_default OFF)
if(PROJECT_IS_TOP_LEVEL AND NOT BLOOMERY_SANITIZE)
  set(bloomery_c_default ON)
endif()
option(BLOOMERY_C "Build the shared library for C in addition to the C++ library" ${bloomery_c_default})
if(BLOOMERY_C)
  add_library(bloomery_c SHARED $<TARGET_OBJECTS:bloomery>)
  target_link_libraries(bloomery_c PRIVATE $<BUILD_INTERFACE:Threads::Threads>)
  if(BLOOMERY_GZIP)
    target_link_libraries(bloomery_c PRIVATE $<BUILD_INTERFACE:ZLIB::ZLIB>)
  endif()
  set(c_map ${PROJECT_SOURCE_DIR}/cmake/bloomery.map)
  target_link_options(bloomery_c PRIVATE -Wl,--version-script=${c_map})
  set_target_properties(bloomery_c PROPERTIES
    OUTPUT_NAME bloomery
    EXPORT_NAME c
    LINKER_LANGUAGE CXX
    LINK_DEPENDS ${c_map}
    VERSION ${PROJECT_VERSION}
    SOVERSION 0) # BLOOMERY_C_ABI
  target_include_directories(bloomery_c INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(bloomery::c ALIAS bloomery_c)
endif()
