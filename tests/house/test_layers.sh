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

# Lines "ROOM FILE" of every file of the library, "HEADER ROOM" of every public header.
sources() { find src -mindepth 2 -name '*.[ch]' | sed 's|^src/\([^/]*\)/.*|\1 &|'; }
headers() {
    for header in include/parcast/*.h include/parcast/*.h.in; do
        name=$(basename "${header%.in}")
        room=$(room_of_header "$name") || { echo "$room" >&2; exit 1; }
        echo "parcast/$name $room"
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
    headers >"$scratch/headers"
    rooms >"$scratch/rooms"
    {
        sources
        sed 's|^parcast/\([^ ]*\) \(.*\)|\2 include/parcast/\1|; /version\.h/d' "$scratch/headers"
    } | while read -r room file; do
        sed -n "s|^ *# *include *\"\([^\"]*\)\".*|$file $room \1|p" "$file"
    done >"$scratch/includes"
    [ "$(wc -l <"$scratch/includes")" -ge 10 ] || fail "no includes found"
    awk '
        FILENAME ~ /rooms$/ { level[$1] = FNR; next }
        FILENAME ~ /headers$/ { room_of[$1] = $2; next }
        $3 !~ /\// { next } # its own folder
        {
            used = $3 ~ /^parcast\// ? room_of[$3] : substr($3, 1, index($3, "/") - 1)
            if (!(used in level)) print $1 " includes " $3 ", which is in no room"
            else if (level[used] > level[$2]) print $1 " includes " $3 ": " $2 " may not use " used
        }' "$scratch/rooms" "$scratch/headers" "$scratch/includes" >"$scratch/wrong"
    [ ! -s "$scratch/wrong" ] || fail "$(cat "$scratch/wrong")"
}

commands_use_only_public_headers() {
    grep -nE '^ *# *include *"' cli/*.[ch] | grep -vE '"(parcast/[a-z_]*\.h|[a-z_]*\.(h|def))"' >"$scratch/wrong" || return 0
    fail "$(cat "$scratch/wrong")"
}

run every_folder_is_a_room rooms_are_built_in_order a_room_uses_only_rooms_above_it commands_use_only_public_headers
