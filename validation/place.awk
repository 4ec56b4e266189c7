# The address of the node of each of n ranks, a line each: what `parcast predict --place` means by fill and spread, or a list (standard input).
function fail(text) {
    print "cluster: " text | "cat >&2"
    failed = 1
    exit 2
}
FILENAME != "-" { name[++nodes] = $2; cores[$2] = $3; address[$2] = $6; all += $3; next }
{
    if (!($1 in cores)) fail("there is no node '" $1 "'")
    if (++used[$1] > cores[$1]) fail("node '" $1 "' has " cores[$1] " cores only")
    host[++placed] = $1
}
END {
    if (failed) exit 2
    if (how != "list" && n > all) fail(n " ranks, but the cluster has " all " cores")
    if (how == "list" && placed != n) fail(n " ranks, but " placed " nodes are listed")
    for (round = 1; how == "spread" && placed < n; round++)
        for (i = 1; i <= nodes && placed < n; i++)
            if (round <= cores[name[i]]) host[++placed] = name[i]
    for (i = 1; how == "fill" && i <= nodes; i++)
        for (k = 1; k <= cores[name[i]] && placed < n; k++) host[++placed] = name[i]
    for (i = 1; i <= placed; i++) print address[host[i]]
}
