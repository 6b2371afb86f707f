# Flags for our own targets only: none of them reaches a consumer.
add_library(bloomery_own_flags INTERFACE)
target_compile_options(bloomery_own_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  $<$<BOOL:${BLOOMERY_STRICT}>:-Werror>)
if(BLOOMERY_SANITIZE)
  # The last of these flags counts, so that a target says by a property that it has no undefined behaviour looked for.
  string(REPLACE "," "$<COMMA>" all_sanitizers "${BLOOMERY_SANITIZE}")
  set(light $<BOOL:$<TARGET_PROPERTY:BLOOMERY_ADDRESSES_ONLY>>)
  target_compile_options(bloomery_own_flags INTERFACE
    $<IF:${light},-fsanitize=address,-fsanitize=${all_sanitizers}>
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(bloomery_own_flags INTERFACE -fsanitize=${BLOOMERY_SANITIZE})
endif()
