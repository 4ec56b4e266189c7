# The table of validation/efficiency from the objects of efficiency.jq.
def percent: if . == null then "-" else "\(. * 1000 | round / 10) %" end;
def seconds: if . < 1 then (. * 1000 | round / 1000 | tostring) else (. * 100 | round / 100 | tostring) end;
# Two standard errors of the measured ratio: the points' own variation and that of one node.
def noise: 2 * (((.variation // 0) * (.variation // 0) + (.one_variation // 0) * (.one_variation // 0)) / .runs | sqrt);

[.[] | select(.n > 1)] as $points
| [$points[] | select(.efficiency > .bound_high * (1 + noise))] as $above
| [ "\($points | length) points on more than one node: \(if $above | length == 0 then "no efficiency above its bound beyond noise" else "**\($above | length) above their bound beyond noise**" end)"
    + "; mean share of the bound reached \($points | if length == 0 then null else map(.efficiency / .bound) | add / length end | percent), of the bound without overlap \($points | if length == 0 then null else map(.efficiency / .no_overlap) | add / length end | percent).", "",
    "| program | nodes | measured, s | cv | repeated | efficiency | bound | reached | bound without overlap | reached |",
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    (.[] | "| `\(.command)` | \(.n) | \(.time_s | seconds) | \(.variation | percent) | \(.repeated)\(if .late then ", late" else "" end) | "
      + (if .n == 1 then "- | - | - | - | - |" else "\(.efficiency | percent) | \(.bound | percent) | \(.efficiency / .bound | percent) | \(.no_overlap | percent) | \(.efficiency / .no_overlap | percent) |" end)) ]
| .[]
