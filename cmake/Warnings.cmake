# Flags for our own targets only: none of them reaches a consumer.
add_library(bloomery_own_flags INTERFACE)
target_compile_options(bloomery_own_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  $<$<BOOL:${BLOOMERY_STRICT}>:-Werror>)
if(BLOOMERY_SANITIZE)
  target_compile_options(bloomery_own_flags INTERFACE
    -fsanitize=${BLOOMERY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(bloomery_own_flags INTERFACE -fsanitize=${BLOOMERY_SANITIZE})
endif()
