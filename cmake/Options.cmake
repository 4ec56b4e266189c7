# Compiler flags that every target of the project shares.
add_library(parcast_options INTERFACE)
target_compile_options(parcast_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wno-format-nonliteral)
target_compile_definitions(parcast_options INTERFACE _GNU_SOURCE)
target_link_libraries(parcast_options INTERFACE m)
if(PARCAST_WERROR)
    target_compile_options(parcast_options INTERFACE -Werror)
endif()
if(PARCAST_SANITIZE)
    # Optimized, tests with sanitizers take half the time. The compiler guesses more then: its warnings are no errors here.
    target_compile_options(parcast_options INTERFACE -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(parcast_options INTERFACE -fsanitize=address,undefined)
    target_compile_definitions(parcast_options INTERFACE $<$<C_COMPILER_ID:Clang>:__SANITIZE_ADDRESS__=1>) # as GCC has it
endif()
if(PARCAST_FUZZ)
    target_compile_options(parcast_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined)
    target_link_options(parcast_options INTERFACE -fsanitize=address,undefined)
endif()
