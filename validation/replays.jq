# The table of traced runs: each point is the median of its runs, and of their replays.
def percent($signed): (. * 1000 | round / 10) as $p | (if $signed and $p >= 0 then "+" else "" end) + ($p | tostring) + " %";
def seconds: . * 1000 | round / 1000 | tostring;
def absolute: if . < 0 then -. else . end;
def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def mean: add / length;
def cv: if length < 2 then null else mean as $m | (map((. - $m) * (. - $m)) | add / (length - 1) | sqrt) / $m end;

[group_by([.program, .n, .place])[]
  | {program: .[0].program, n: .[0].n, place: .[0].place, late: any(.state == "late"),
     measured: (map(.measured_s) | median), replayed: (map(.replayed_s) | median), cv: (map(.measured_s) | cv)}
  | . + {error: (.replayed / .measured - 1), counts: (.late | not), steady: (.cv == null or .cv <= 0.05)}] as $points
| [$points[] | select(.counts) | .error | absolute] as $errors
| [$points[] | select(.counts and .steady) | .error | absolute] as $steady
| if $errors | length == 0 then "No point counts." else
  "\($errors | length) points: \([$errors[] | select(. <= 0.04)] | length) within 4 %, \([$errors[] | select(. <= 0.12)] | length) within 12 %; mean \($errors | mean | percent(false)), worst \($errors | max | percent(false)). Of the \($steady | length) whose cv is at most 5 %: \([$steady[] | select(. <= 0.04)] | length) within 4 %." end,
  "", "| program | ranks | placed | measured, s | cv | replayed, s | error |", "|---|--:|---|--:|--:|--:|--:|",
  ($points[] | "| \(.program) | \(.n) | \(.place) | \(.measured | seconds) | \(if .cv then (.cv | percent(false)) else "-" end) | \(.replayed | seconds) | \(.error | percent(true))\(if .counts then "" else " (emulation late, not counted)" end) |")
