# bloomery_side_library(NAME): what the libraries beside the core have in common. The target is bloomery_NAME, and
# programs link bloomery::NAME.
function(bloomery_side_library name)
  set(target bloomery_${name})
  add_library(bloomery::${name} ALIAS ${target})
  if(BUILD_SHARED_LIBS)
    target_link_options(${target} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/hide_std.map)
  endif()
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    DEFINE_SYMBOL "" # as for bloomery
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON
    INSTALL_RPATH $ORIGIN) # the other libraries are next to it
endfunction()
