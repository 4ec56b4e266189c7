#!/bin/sh
# A room uses only rooms above it in the list of CONTRIBUTING.md.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
cd "$SOURCE" || exit 1

# The rooms in order, one a line: rows "| `core` | ..." of the table under "Rooms".
rooms() { awk '/^#/ { on = /Rooms/ } on' CONTRIBUTING.md | sed -n 's/^| `\([a-z]*\)` |.*/\1/p'; }
level() { rooms | grep -nx "$1" | cut -d : -f 1; }

# The room that a public header X.h belongs to: the room X, or the one that has X.c or X_*.c.
room_of_header() {
    name=$(basename "$1" .h)
    if [ "$name" = version ]; then echo core; return; fi
    if [ -d "src/$name" ]; then echo "$name"; return; fi
    homes=$(find src -name "$name.c" -o -name "${name}_*.c" | cut -d / -f 2 | sort -u)
    [ "$(printf '%s' "$homes" | grep -c .)" = 1 ] || fail "include/parcast/$name.h: no room src/$name, and $name.c in: ${homes:-no room}"
    echo "$homes"
}

# Lines "FILE ROOM INCLUDED" of all includes in quotes, where ROOM is the file's own.
includes() {
    find src -name '*.[ch]' | while read -r file; do
        room=${file#src/}
        sed -n "s|^ *# *include *\"\([^\"]*\)\".*|$file ${room%%/*} \1|p" "$file"
    done
    find include/parcast -name '*.h' | while read -r file; do
        room=$(room_of_header "$file") || { echo "$room" >&2; exit 1; }
        sed -n "s|^ *# *include *\"\([^\"]*\)\".*|$file $room \1|p" "$file"
    done
}

every_folder_is_a_room() {
    for folder in src/*/; do
        name=$(basename "$folder")
        [ -n "$(level "$name")" ] || fail "src/$name is not in CONTRIBUTING.md's list of rooms"
    done
}

rooms_are_built_in_order() {
    sed -n 's/^add_subdirectory(\([a-z]*\)).*/\1/p' src/CMakeLists.txt >"$scratch/built"
    rooms | grep -xF -f "$scratch/built" >"$scratch/listed"
    diff "$scratch/listed" "$scratch/built" || fail "src/CMakeLists.txt has another order than CONTRIBUTING.md's list"
}

a_room_uses_only_rooms_above_it() {
    includes >"$scratch/includes"
    [ "$(wc -l <"$scratch/includes")" -ge 10 ] || fail "no includes found"
    while read -r file room included; do
        case $included in
        parcast/*) used=$(room_of_header "$included") || fail "$used" ;;
        */*) used=${included%%/*} ;;
        *) continue ;; # its own folder
        esac
        if [ "$used" = .. ]; then fail "$file includes $included: name the room instead"; fi
        [ -n "$(level "$used")" ] || fail "$file includes $included, and $used is no room"
        [ "$(level "$used")" -le "$(level "$room")" ] || echo "$file includes $included: $room may not use $used"
    done <"$scratch/includes" >"$scratch/wrong"
    [ ! -s "$scratch/wrong" ] || fail "$(cat "$scratch/wrong")"
}

commands_use_only_public_headers() {
    grep -nE '^ *# *include *"' cli/*.[ch] | grep -vE '"(parcast/[a-z_]*\.h|[a-z_]*\.(h|def))"' >"$scratch/wrong" || return 0
    fail "$(cat "$scratch/wrong")"
}

run every_folder_is_a_room rooms_are_built_in_order a_room_uses_only_rooms_above_it commands_use_only_public_headers
