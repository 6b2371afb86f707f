# Compiling several sources as one (a "unity build") takes a third of the time: what they all include is read once, and
# what they all instantiate is compiled once. Names in anonymous namespaces must then differ between the files of a
# target.
option(BLOOMERY_UNITY "Compile sources in batches, which takes a third of the time" ON)

# bloomery_in_batches(TARGET SIZE [FILE...]): all sources of TARGET except FILE... are compiled SIZE at a time.
function(bloomery_in_batches target size)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${BLOOMERY_UNITY}
    UNITY_BUILD_BATCH_SIZE ${size})
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
