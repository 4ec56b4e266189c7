# Reads the specification of an emulated cluster; prints "latency NS", then "number name cores speed bit_per_s" for every node.
#
#     latency: 50 us
#     nodes:
#       - {name: big, count: 2, cores: 2, speed: 0.24, link: 400 Mbit/s}
function fail(text) {
    printf "%s:%d: %s\n", file, NR, text | "cat >&2"
    failed = 1
    exit 3
}
function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}
function time_ns(text) {
    if (text !~ /^[0-9.]+ *(ns|us|ms|s)?$/ || text !~ /[0-9]/) fail("'" text "' is no time: 50 us, 0.2 ms")
    return text * (text ~ /ns$/ ? 1 : text ~ /us$/ ? 1e3 : text ~ /ms$/ ? 1e6 : text ~ /s$/ ? 1e9 : text + 0 == 0 ? 1 : fail("'" text "' has no unit"))
}
function rate_bit(text) {
    if (text !~ /^[0-9.]+ *[kMG]bit\/s$/ || text + 0 <= 0) fail("'" text "' is no rate: 400 Mbit/s")
    return text * (text ~ /Gbit/ ? 1e9 : text ~ /Mbit/ ? 1e6 : 1e3)
}
function ratio(text,    part) {
    if (text !~ /^[0-9.]+(\/[0-9.]+)?$/) fail("speed '" text "' is no number or fraction")
    if (split(text, part, "/") == 2) text = part[2] > 0 ? part[1] / part[2] : 0
    if (!(text > 0 && text <= 1)) fail("speed must be above 0 and up to 1, this machine's own")
    return text + 0
}
function whole(text, name, low, high) {
    if (text !~ /^[0-9]+$/ || text + 0 < low || text + 0 > high) fail(name " must be a number from " low " to " high ", not '" text "'")
    return text + 0
}
function add_nodes(text,    fields, n, i, at, key, value, v) {
    v["count"] = 1; v["cores"] = 1; v["speed"] = "0.25"; v["link"] = "400 Mbit/s"; v["name"] = ""
    n = split(text, fields, ",")
    for (i = 1; i <= n; i++) {
        at = index(fields[i], ":")
        key = trim(substr(fields[i], 1, at - 1)); value = trim(substr(fields[i], at + 1))
        if (!at || !(key in v)) fail("unknown key '" (at ? key : trim(fields[i])) "': name, count, cores, speed, link")
        v[key] = value
    }
    if (v["name"] !~ /^[a-z][a-z0-9-]*$/ || length(v["name"]) > 32) fail("a node needs a name of lower-case letters, digits and '-'")
    whole(v["count"], "count", 1, 16); whole(v["cores"], "cores", 1, 16)
    for (i = 1; i <= v["count"]; i++) {
        name = v["count"] > 1 ? v["name"] i : v["name"]
        if (name in known) fail("two nodes are called '" name "'")
        known[name] = 1
        line[++nodes] = sprintf("%d %s %d %.6g %.0f", nodes, name, v["cores"], ratio(v["speed"]), rate_bit(v["link"]))
    }
    if (nodes > 16) fail("more than 16 nodes")
}
BEGIN { latency = 0 }
{ sub(/(^|[ \t])#.*/, ""); sub(/\r$/, "") }
/^[ \t]*$/ { next }
/^nodes:[ \t]*$/ { next }
/^latency:/ { latency = time_ns(trim(substr($0, 9))); next }
/^[ \t]*-[ \t]*\{.*\}[ \t]*$/ { sub(/^[^{]*\{/, ""); sub(/\}[ \t]*$/, ""); add_nodes($0); next }
{ fail("not understood: '" trim($0) "'") }
END {
    if (failed) exit 3
    if (!nodes) fail("no nodes")
    printf "latency %.0f\n", latency
    for (i = 1; i <= nodes; i++) print line[i]
}
