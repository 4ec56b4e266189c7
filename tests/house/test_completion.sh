#!/bin/sh
# Shell completion knows every command and every option.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
completion=$BUILD/completion

# What bash offers for the words given, the last of which is being typed.
bash_offers() {
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _parcast; printf "%s\n" "${COMPREPLY[@]}"' "$completion/parcast" "$@"
}
offered() { grep -qxF -e "$1" "$scratch/offers" || fail "$2 does not offer $1"; }

bash_knows_every_command() {
    bash_offers parcast "" >"$scratch/offers"
    for command in $(commands); do offered "$command" bash; done
}

bash_knows_every_option() {
    for command in $(commands); do
        bash_offers parcast "$command" - >"$scratch/offers"
        for option in $(option_entries "$command" | sed "s,.*|,,"); do offered "$option" "bash, for $command,"; done
        [ "$(wc -l <"$scratch/offers")" = "$(option_entries "$command" | sed "s,.*|,," | wc -l)" ] || fail "bash offers more for $command than -h lists"
    done
}

bash_offers_the_words_of_a_choice() {
    for command in $(commands); do
        option_entries "$command" | grep -q -e --color || continue # compiler wrappers leave words to the compiler
        bash_offers parcast "$command" --color "" >"$scratch/offers"
        for word in auto always never; do offered $word "bash, for $command --color,"; done
    done
}

zsh_knows_every_command_and_option() {
    command -v zsh >/dev/null || skip "no zsh"
    zsh -n "$completion/_parcast" || fail "zsh does not understand its file"
    # The file is run with the two functions of zsh that would offer; they print what they were given.
    for command in $(commands); do
        zsh -f -c 'words=(parcast ""); CURRENT=2; _describe() { print -rl -- ${(P)2%%:*} }; . "$0"' "$completion/_parcast" >"$scratch/offers"
        offered "$command" zsh
        zsh -f -c 'words=(parcast "$1" --); CURRENT=3; _arguments() { print -rl -- ${${@%%\[*}%=} }; . "$0"' "$completion/_parcast" "$command" >"$scratch/offers"
        for option in $(options "$command"); do offered "$option" "zsh, for $command,"; done
    done
}

fish_knows_every_command_and_option() {
    command -v fish >/dev/null || skip "no fish"
    export HOME="$scratch"
    fish --no-config -c "source '$completion/parcast.fish'; complete -C 'parcast '" | cut -f 1 >"$scratch/offers"
    for command in $(commands); do offered "$command" fish; done
    for command in $(commands); do
        fish --no-config -c "source '$completion/parcast.fish'; complete -C 'parcast $command -'" | cut -f 1 | sed 's/=$//' >"$scratch/offers"
        for option in $(options "$command"); do offered "$option" "fish, for $command,"; done
    done
}

run bash_knows_every_command bash_knows_every_option bash_offers_the_words_of_a_choice zsh_knows_every_command_and_option \
    fish_knows_every_command_and_option
