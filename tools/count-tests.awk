# Counts the tests in ctest's LastTest.log: the tests inside a cmocka program one by one, any other program as one.
# Prints "PASSED FAILED SKIPPED", then a line for every skipped test with what it said before it was skipped.
# (cmocka writes results to stdout and sums to stderr, so lines may be torn: nothing is anchored.)
function sum(line, word,    text) {
    if (!match(line, "\\[  " word " *\\] [0-9]+ test\\(s\\)")) return 0
    text = substr(line, RSTART, RLENGTH)
    sub(/^\[[^]]*\] /, "", text)
    return text + 0
}
function close_program() {
    if (program == "") return
    if (outcome == "Passed" && p + f + s == 0) p = 1
    if (outcome != "Passed" && f == 0) f = 1
    passed += p; failed += f; skipped += s
    program = ""
}
/^[0-9]+\/[0-9]+ Testing: / { close_program(); program = $3; p = f = s = 0; outcome = "Failed"; said = "" }
/^Test Passed\.$/ { outcome = "Passed" }
{ p += sum($0, "PASSED"); f += sum($0, "FAILED"); s += sum($0, "SKIPPED") }
/\[ RUN      \]/ { said = ""; next }
/\[  SKIPPED \]/ && !/test\(s\)/ {
    name = $0
    sub(/.*\[  SKIPPED \] /, "", name)
    if (!((program, name) in named)) lines[++n] = "skipped: " program ", " name (said == "" ? "" : ": " said)
    named[program, name] = 1
}
!/^\[/ { if ($0 != "") said = $0 }
END {
    close_program()
    print passed + 0, failed + 0, skipped + 0
    for (i = 1; i <= n; i++) print lines[i]
}
