# A program's runs (lines of validation/run) beside its bound: an object for each number of nodes.
def middle: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
def mean: add / length;
def variation: if length < 2 then null else mean as $m | (map((. - $m) * (. - $m)) | add / (length - 1) | sqrt) / $m end;

($show[0].runs | map({key: (.id | tostring), value: .time_s}) | from_entries) as $times
| [inputs | split(" ") | select(.[0] == "measure") | {n: (.[1] | tonumber), time_s: $times[.[3]], state: .[4]}] as $runs
| def measured($n): [$runs[] | select(.n == $n and (.state == "ok" or .state == "late")) | .time_s];
  def point($forecast; $n): $forecast.points[] | select(.processes == $n);
  (measured(1) | middle) as $one
| ([$runs[] | .n] | unique)[] as $n
| select((measured($n) | length) > 0)
| (measured($n)) as $all | point($bound[0]; $n) as $b | point($no_overlap[0]; $n) as $p | point($bound[0]; 1) as $b1
| {command: $command, n: $n, time_s: ($all | middle), runs: ($all | length), variation: ($all | variation), one_variation: (measured(1) | variation),
   late: ([$runs[] | select(.n == $n) | .state] | index("late") != null),
   repeated: ([$runs[] | select(.n == $n and .state == "disturbed")] | length),
   efficiency: ($one / ($n * ($all | middle))), bound: $b.efficiency_ratio, bound_high: ($b1.time_s / ($n * $b.low_s)),
   bound_s: $b.time_s, no_overlap: $p.efficiency_ratio}
