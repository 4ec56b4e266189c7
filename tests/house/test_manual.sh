#!/bin/sh
# The manual says what the program says.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
man=$SOURCE/docs/man
overview=$BUILD/docs/man/parcast.1.scd # with the list of commands put in

# The text of a page without scdoc's marks.
plain() { sed 's/\\\(.\)/\1/g; s/\*//g; s/++$//' "$1" | tr -d _; }
# One section of a page.
section() { plain "$1" | awk -v name="# $2" '$0 == name { on = 1; next } /^# / { on = 0 } on'; }
one_line() { tr -s ' \t\n' ' ' | sed 's/^ //; s/ $//'; }
# Is one of the names $1 of an option somewhere in the text?
mentions() { grep -qE -- "(^|[^A-Za-z0-9-])($1)([^a-z0-9-]|\$)"; }

every_command_has_a_manual_page() {
    [ -n "$(commands)" ] || fail "'parcast -h' lists no command"
    for command in $(commands); do
        [ -f "$man/parcast-$command.1.scd" ] || fail "docs/man/parcast-$command.1.scd is missing"
    done
}

every_manual_page_belongs_to_a_command() {
    for page in "$man"/parcast-*.1.scd; do
        name=${page##*/parcast-}
        commands | grep -qxF "${name%.1.scd}" || fail "${page##*/} has no command"
    done
}

the_synopsis_is_what_help_prints() {
    for command in $(commands); do
        help=$("$PARCAST" "$command" -h | awk 'NF == 0 { exit } { print }' | tr -d _ | sed 's/^usage: //' | one_line)
        page=$(section "$man/parcast-$command.1.scd" SYNOPSIS | one_line)
        [ "$help" = "$page" ] || fail "$command: -h prints
  $help
but the manual says
  $page"
    done
}

every_option_is_in_the_manual() {
    for command in $(commands); do
        [ -n "$(option_entries "$command")" ] || fail "$command -h lists no option"
        for option in $(option_entries "$command"); do
            section "$man/parcast-$command.1.scd" OPTIONS | mentions "$option" ||
                fail "OPTIONS of parcast-$command.1.scd does not say what $option does"
        done
    done
}

every_option_of_the_manual_exists() {
    for command in $(commands); do
        section "$man/parcast-$command.1.scd" OPTIONS | grep '^-' | tr -s ' ,=[]|' '\n' | grep -E '^--?[A-Za-z]' >"$scratch/described"
        while read -r option; do
            options "$command" | grep -qxF -e "$option" || fail "parcast-$command.1.scd describes $option, which -h does not list"
        done <"$scratch/described"
    done
}

every_command_is_in_the_overview() {
    for command in $(commands); do
        plain "$overview" | grep -qF "parcast-$command(1)" || fail "parcast.1.scd does not name parcast-$command(1)"
    done
}

# PARCAST_STATUS_LIST: X(NAME, exit status, "text")
every_status_is_in_the_overview() {
    sed -n 's/^ *X(\([A-Z_]*\), *\([0-9]*\), *"\(.*\)").*/\1|\2|\3/p' "$SOURCE/include/parcast/error.h" >"$scratch/statuses"
    [ "$(wc -l <"$scratch/statuses")" -ge 10 ] || fail "the list of statuses was not found in error.h"
    # The table is rows of three lines: "|  NAME", ":  exit status", ":  text".
    tr -d '\\' <"$overview" | sed -n 's/^[|:]  *//p' | paste -d '|' - - - >"$scratch/table"
    while read -r row; do
        grep -qxF "$row" "$scratch/table" || fail "parcast.1.scd does not list: $row"
    done <"$scratch/statuses"
}

every_page_is_built() {
    command -v scdoc >/dev/null || skip "no scdoc"
    for page in "$man"/*.scd; do
        built=$BUILD/docs/man/$(basename "$page" .scd)
        [ -s "$built" ] || fail "${built#"$BUILD"/} was not built"
        grep -q '^\.TH ' "$built" || fail "$built is no manual page"
    done
}

run every_command_has_a_manual_page every_manual_page_belongs_to_a_command the_synopsis_is_what_help_prints \
    every_option_is_in_the_manual every_option_of_the_manual_exists every_command_is_in_the_overview \
    every_status_is_in_the_overview every_page_is_built
