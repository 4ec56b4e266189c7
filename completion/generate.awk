# generate.awk -v shell=bash|zsh|fish: shell completion from what the commands' -h print.
# Input: the output of 'parcast -h', then for each command a line "@COMMAND" and the output of 'parcast COMMAND -h'.
# An option that takes one of a few words says them in its argument's name, as in --place=fill|spread.
# Text with a backslash before every character of the set.
function escape(text, set,    i, c, out) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        out = out (index(set, c) ? "\\" : "") c
    }
    return out
}
# For single quotes of any shell: what's -> 'what'\''s'
function quote(text,    i, c, out) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        out = out (c == "'" ? "'\\''" : c)
    }
    return "'" out "'"
}

/^@/ { command = substr($0, 2); listing = 0; next }
command == "" && /^commands:/ { listing = 1; next }
command == "" && listing && NF == 0 { listing = 0 }
command == "" && listing {
    name = $1
    names[++n_commands] = name
    sub(/^ *[^ ]+ +/, "")
    summaries[name] = $0
}
# popt prints "  -o, --output=FILE   text", "      --what   text", "  -s STUDY   text", and goes on in lines indented further.
command != "" && /^  (-[A-Za-z]|    --[a-z])/ {
    i = ++n_options[command]
    line = substr($0, 3)
    short = line ~ /^-/ ? substr(line, 2, 1) : ""
    sub(/^(-[A-Za-z],?)? */, "", line)
    long = ""
    if (match(line, /^--[a-z][a-z0-9-]*/)) {
        long = substr(line, 3, RLENGTH - 2)
        line = substr(line, RLENGTH + 1)
    }
    argument = ""
    if (line ~ /^=[^ ]/ || (long == "" ? $0 ~ /^  -[A-Za-z] [^ ]/ : line ~ /^ [^ ]/)) {
        match(line, /^[= ]?[^ ]+/)
        argument = substr(line, 1, RLENGTH)
        sub(/^[= ]/, "", argument)
        line = substr(line, RLENGTH + 1)
    }
    sub(/^ +/, "", line)
    shorts[command, i] = short; longs[command, i] = long; arguments[command, i] = argument; texts[command, i] = line
    next
}
command != "" && n_options[command] > 0 && /^          / {
    i = n_options[command]
    sub(/^ +/, "")
    texts[command, i] = texts[command, i] (texts[command, i] == "" ? "" : " ") $0
}

function words(argument) { gsub(/\|/, " ", argument); return argument }

function bash_options(command,    i, name, all, values, key) {
    for (i = 1; i <= n_options[command]; i++) {
        name = longs[command, i] == "" ? "-" shorts[command, i] : "--" longs[command, i]
        all = all (all == "" ? "" : " ") name
        if (arguments[command, i] == "") continue
        key = name (shorts[command, i] == "" || longs[command, i] == "" ? "" : "|-" shorts[command, i])
        if (arguments[command, i] ~ /\|/)
            values = values "        " key ") COMPREPLY=($(compgen -W \"" words(arguments[command, i]) "\" -- \"$word\")); return ;;\n"
        else
            values = values "        " key ") COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
    }
    printf "    %s)\n        options=\"%s\"\n", command, all
    if (values != "") printf "        case $before in\n%s        esac\n", values
    print "        ;;"
}
function bash(    i, all) {
    for (i = 1; i <= n_commands; i++) all = all (i > 1 ? " " : "") names[i]
    print "# Completion of parcast's commands and options for bash; made from the commands' help."
    print "_parcast()\n{"
    print "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= i"
    print "    COMPREPLY=()"
    print "    if ((COMP_CWORD == 1)); then"
    print "        COMPREPLY=($(compgen -W \"" all " --help --version\" -- \"$word\"))\n        return\n    fi"
    print "    for ((i = 2; i < COMP_CWORD; i++)); do # behind -- stands a program with its own words"
    print "        [[ ${COMP_WORDS[i]} == -- ]] && { COMPREPLY=($(compgen -c -f -- \"$word\")); return; }"
    print "    done"
    print "    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}"
    print "    [[ $word == = ]] && before=${COMP_WORDS[COMP_CWORD-1]} word="
    print "    case ${COMP_WORDS[1]} in"
    for (i = 1; i <= n_commands; i++) bash_options(names[i])
    print "    esac"
    print "    if [[ $word == -* ]]; then\n        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))"
    print "    else\n        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}"
    print "complete -o filenames -o bashdefault -F _parcast parcast"
}

function zsh_text(text) { return escape(text, "[]:\\") }
function zsh_options(command,    i, action, spec, text) {
    printf "    %s)\n        _arguments -s", command
    for (i = 1; i <= n_options[command]; i++) {
        action = ""
        if (arguments[command, i] ~ /\|/) action = ":value:(" words(arguments[command, i]) ")"
        else if (arguments[command, i] != "") action = ":" zsh_text(arguments[command, i]) ":_files"
        text = "[" zsh_text(texts[command, i]) "]" action
        spec = "--" longs[command, i] (arguments[command, i] == "" ? "" : "=")
        if (longs[command, i] != "") printf " \\\n            %s", quote(spec text)
        if (shorts[command, i] != "") printf " \\\n            %s", quote("-" shorts[command, i] text)
    }
    print " \\\n            '*:file:_files'\n        ;;"
}
function zsh(    i) {
    print "#compdef parcast"
    print "# Completion of parcast's commands and options for zsh; made from the commands' help."
    print "_parcast() {\n    local -a list\n    if (( CURRENT == 2 )); then\n        list=("
    for (i = 1; i <= n_commands; i++) print "            " quote(names[i] ":" zsh_text(summaries[names[i]]))
    print "        )\n        _describe command list\n        return\n    fi"
    print "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in"
    for (i = 1; i <= n_commands; i++) zsh_options(names[i])
    print "    esac\n}\n_parcast \"$@\""
}

function fish_options(command,    i, line) {
    for (i = 1; i <= n_options[command]; i++) {
        line = "complete -c parcast -n " quote("__fish_seen_subcommand_from " command)
        if (shorts[command, i] != "") line = line " -s " shorts[command, i]
        if (longs[command, i] != "") line = line " -l " longs[command, i]
        if (arguments[command, i] ~ /\|/) line = line " -x -a " quote(words(arguments[command, i]))
        else if (arguments[command, i] != "") line = line " -r"
        print line " -d " quote(texts[command, i])
    }
}
function fish(    i) {
    print "# Completion of parcast's commands and options for fish; made from the commands' help."
    for (i = 1; i <= n_commands; i++)
        print "complete -c parcast -f -n __fish_use_subcommand -a " names[i] " -d " quote(summaries[names[i]])
    for (i = 1; i <= n_commands; i++) fish_options(names[i])
}

END {
    if (shell == "bash") bash()
    else if (shell == "zsh") zsh()
    else if (shell == "fish") fish()
    else { print "generate.awk: shell is bash, zsh or fish" >"/dev/stderr"; exit 1 }
}
