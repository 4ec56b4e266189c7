# The table of a campaign from what validation/run gathered about each program.
def percent($signed): if . == null then "-" else (. * 1000 | round / 10) as $p | (if $signed and $p >= 0 then "+" else "" end) + ($p | tostring) + " %" end;
def seconds: if . == null then "-" elif . < 1 then (. * 1000 | round / 1000 | tostring) else (. * 100 | round / 100 | tostring) end;
def mean: if length == 0 then null else add / length end;
def absolute: if . < 0 then -. else . end;

def run_of($runs; $id): $runs | map(select(.id == $id)) | first;
def most_recorded: [.runs[] | select(.role == "record") | .n] | max;

# Points with both engines side by side, and which part of the table each is in.
def points:
  most_recorded as $most | .runs as $runs | .paper as $paper
  | .model.points | map(
      . as $p | run_of($runs; $p.run_ids[0]) as $run
      | ($paper.points | map(select(.run_ids == $p.run_ids)) | first) as $other
      | ([$p.run_ids[] as $id | run_of($runs; $id).late] | add / length) as $late
      | $p + {place: $run.place, late: $late, counts: ($p.counts and ([$p.run_ids[] as $id | run_of($runs; $id).state] | index("late") | not)), paper_s: $other.predicted_s, paper_error_ratio: $other.error_ratio,
              part: (if ($p.held_out | not) then "in sample"
                     elif $p.processes <= $most and ($run.mixed | not) then "inside"
                     else "beyond" end),
              repeated: ($runs | map(select(.n == $run.n and .place == $run.place and .role == $run.role and .state != "ok")) | length)});

# Where more ranks stop helping, nodes filled one after the other: as in `parcast predict`, the smallest count within 5 % of
# the least time, and its place in the list.
def least($key): (map(.[$key]) | min) as $least | to_entries | map(select(.value[$key] <= 1.05 * $least)) | min_by(.value.processes) | {step: .key, n: .value.processes};
def turning: [points[] | select(.place == "fill")] | {measured: least("measured_s"), model: least("predicted_s"), paper: least("paper_s")};

def row: "| \(.program) | \(.placement) | \(.processes) | \(.measured_s | seconds) | \(if .measured_cv_ratio then (.measured_cv_ratio | percent(false)) else "-" end) | \(.repeated) | \(.late | percent(false)) | \(.predicted_s | seconds) | \(.error_ratio | percent(true)) | \(.paper_s | seconds) | \(.paper_error_ratio | percent(true)) |";
def table($title; $rows):
  if $rows | length == 0 then empty else
  "**\($title)**", "",
  "| program | ranks on each node | ranks | measured, s | cv | repeated | late | `model`, s | error | `paper`, s | error |",
  "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|", ($rows[] | row), "" end;
def errors($rows; $key): [$rows[] | .[$key] | absolute] | mean | percent(false);

map(. + {runs: (.runs | map(. + {mixed: (.place | test("slow|mix"))}))})
| [.[] | .program as $name | points[] | . + {program: $name}] as $all
| [$all[] | select(.part == "inside" and .counts)] as $inside
| [$all[] | select(.part == "beyond" and .counts)] as $beyond
| [$all[] | select(.part == "in sample")] as $in
| [$all[] | select(.held_out and (.counts | not))] as $unsteady
| [ "| mean absolute error | points | `model` | `paper` |", "|---|--:|--:|--:|",
    "| held out, inside the recorded counts | \($inside | length) | \(errors($inside; "error_ratio")) | \(errors($inside; "paper_error_ratio")) |",
    "| held out, more ranks or slow nodes | \($beyond | length) | \(errors($beyond; "error_ratio")) | \(errors($beyond; "paper_error_ratio")) |",
    "| in sample | \($in | length) | \(errors($in; "error_ratio")) | \(errors($in; "paper_error_ratio")) |", "",
    "| program | held out: mean | worst | inside 95 % interval | turning point measured | `model` | `paper` |", "|---|--:|--:|--:|--:|--:|--:|",
    (.[] | .program as $name | .command as $command | turning as $t | [$all[] | select(.program == $name and .held_out and .counts)] as $own
      | "| \($command) | \(errors($own; "error_ratio")) | \([$own[] | .error_ratio | absolute] | max | percent(false)) | \([$own[] | select(.low_s <= .measured_s and .measured_s <= .high_s)] | length) of \($own | length) | \($t.measured.n) | \($t.model.n) (\($t.model.step - $t.measured.step | if . > 0 then "+\(.)" else "\(.)" end)) | \($t.paper.n) (\($t.paper.step - $t.measured.step | if . > 0 then "+\(.)" else "\(.)" end)) |"), "",
    table("Held out, inside the recorded counts"; $inside), table("Held out, more ranks or slow nodes"; $beyond),
    table("Held out, own variation above 5 % or the emulation late by over 2 %: not counted"; $unsteady), table("In sample"; $in) ]
| .[]
