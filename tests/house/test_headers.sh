#!/bin/sh
# A public header can be included first and alone.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"

public_headers() {
    (cd "$SOURCE/include" && find parcast -name '*.h')
    (cd "$BUILD/include" && find parcast -name '*.h')
}
# compile COMPILER FLAG...: every header alone and twice.
compile() {
    [ "$(public_headers | wc -l)" -ge 5 ] || fail "the public headers were not found"
    for header in $(public_headers); do
        printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$header" "$header" |
            "$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$SOURCE/include" -I"$BUILD/include" - ||
            fail "$header does not compile alone with: $*"
    done
}
every_header_compiles_alone_in_c() { compile "$CC" -std=c17 -x c; }
every_header_compiles_alone_in_cpp() {
    [ -x "$CXX" ] || skip "no C++ compiler"
    compile "$CXX" -std=c++17 -x c++
}
every_header_may_be_used_from_cpp() {
    for header in $(cd "$SOURCE/include" && find parcast -name '*.h'); do
        grep -q 'PARCAST_API' "$SOURCE/include/$header" || continue
        grep -q 'extern "C"' "$SOURCE/include/$header" || fail "$header has functions but no extern \"C\""
    done
}
run every_header_compiles_alone_in_c every_header_compiles_alone_in_cpp every_header_may_be_used_from_cpp
