# Tests in shell: each is a function whose name is a sentence; it fails by `fail TEXT`, or leaves by `skip REASON`.
# run NAME... prints what cmocka would, so that ./check counts both alike.
# From CMake: SOURCE and BUILD, the two trees; PARCAST, the program; CC, CXX; BUILD_CONFIG.
# shellcheck shell=sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

fail() { printf '%s\n' "$*"; exit 1; }
skip() { printf '%s\n' "$*"; exit 77; }

run() {
    n_passed=0 n_failed=0 n_skipped=0
    printf '[==========] Running %s test(s).\n' $#
    for name in "$@"; do
        printf '[ RUN      ] %s\n' "$name"
        (set -eu; "$name")
        case $? in
        0) n_passed=$((n_passed + 1)) word='[       OK ]' ;;
        77) n_skipped=$((n_skipped + 1)) word='[  SKIPPED ]' ;;
        *) n_failed=$((n_failed + 1)) word='[  FAILED  ]' ;;
        esac
        printf '%s %s\n' "$word" "$name"
    done
    printf '[  PASSED  ] %s test(s).\n' $n_passed
    [ $n_skipped = 0 ] || printf '[  SKIPPED ] %s test(s)\n' $n_skipped
    [ $n_failed = 0 ] || printf '[  FAILED  ] %s test(s)\n' $n_failed
    [ $n_failed = 0 ]
}

# Names of the commands, one a line.
commands() { "$PARCAST" -h | awk '/^commands:/ { on = 1; next } on && NF == 0 { exit } on { print $1 }'; }

# Options of a command as -h lists them, one a line: --name, and -n where there is one.
options() {
    "$PARCAST" "$1" -h | awk '/^  (-[A-Za-z]|    --[a-z])/ {
        if ($1 ~ /^-[A-Za-z],?$/) { print substr($1, 1, 2); $1 = ""; sub(/^ /, "") }
        if (match($0, /^ *--[a-z][a-z0-9-]*/)) { $0 = substr($0, 1, RLENGTH); print $1 }
    }'
}
# The same with one line per option: --name, -n, or -n|--name.
option_entries() {
    "$PARCAST" "$1" -h | awk '/^  (-[A-Za-z]|    --[a-z])/ {
        name = $1 ~ /^-[A-Za-z],$/ ? substr($1, 1, 2) "|" $2 : $1
        sub(/=.*/, "", name)
        print name
    }'
}
