# Flags for our own targets only: none of them reaches a consumer.
add_library(bloomery_own_flags INTERFACE)
# In a batch, a local name may hide a name of another file, which is harmless.
set(shadow -Wshadow)
if(BLOOMERY_UNITY)
  set(shadow $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)
endif()
set(warnings -Wall -Wextra -Wpedantic ${shadow} -Wconversion -Wsign-conversion -Wold-style-cast
  $<$<BOOL:${BLOOMERY_STRICT}>:-Werror>)
# What nvcc makes of a source would not pass.
target_compile_options(bloomery_own_flags INTERFACE $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:${warnings}>)
if(BLOOMERY_SANITIZE)
  # The last of these flags wins, so a target can turn off the check for undefined behaviour with a property.
  string(REPLACE "," "$<COMMA>" all_sanitizers "${BLOOMERY_SANITIZE}")
  set(light $<BOOL:$<TARGET_PROPERTY:BLOOMERY_ADDRESSES_ONLY>>)
  target_compile_options(bloomery_own_flags INTERFACE
    $<IF:${light},-fsanitize=address,-fsanitize=${all_sanitizers}>
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(BLOOMERY_SANITIZE STREQUAL thread)
    # ThreadSanitizer does not support fences. The library has two, which order what other processes see.
    target_compile_options(bloomery_own_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
  target_link_options(bloomery_own_flags INTERFACE -fsanitize=${BLOOMERY_SANITIZE})
endif()
