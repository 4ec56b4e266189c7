#!/bin/sh
# THIRD_PARTY.md names everything that parcast links, and the package lists hold it.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"

modules() { grep -ho 'IMPORTED_TARGET [a-z0-9.-]*' "$SOURCE/cmake/Dependencies.cmake" | cut -d ' ' -f 2; }

every_linked_library_is_named_with_its_licence() {
    [ "$(modules | wc -l)" -ge 5 ] || fail "no libraries found in cmake/Dependencies.cmake"
    for module in $(modules); do
        grep -qE "^\| .*\`$module\`.* \| .*(BSD|MIT|ISC|LGPL|Public domain|MINPACK|Apache)" "$SOURCE/THIRD_PARTY.md" ||
            fail "THIRD_PARTY.md does not list $module with a licence"
    done
}

the_package_list_is_well_formed() {
    grep -vE '^(#.*|(build|run|test) +[a-z0-9][a-z0-9.+-]*( unless [a-z0-9-]+)?)$' "$SOURCE/tools/packages" && fail "tools/packages: not understood"
    sed -n 's/^[a-z]* *\([^ ]*\).*/\1/p' "$SOURCE/tools/packages" | sort | uniq -d | grep "[a-z]" && fail "tools/packages: named twice"
    return 0
}

run every_linked_library_is_named_with_its_licence the_package_list_is_well_formed
