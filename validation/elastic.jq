# Runs of validation/elastic -> a table, and what it says about each requirement.
def median: sort | if length == 0 then null elif length % 2 == 1 then .[(length - 1) / 2]
                   else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def fixed(n): if . == null then "-" else . * pow(10; n) | round / pow(10; n) | tostring end;
def percent: if . == null then "-" else "\(. * 100 | fixed(1)) %" end;
def nodes: [(.sizes | sort_by(.iterations) | reverse | .[] | "\(.nodes): \(.iterations)")] | join(", ");
def moves: [.events[] | select(.from_nodes > 0)] | length;
def off: if .forecast_s == null then null else (.forecast_s / .time_s - 1) end;
def row(title): "| \(title) | \(.time_s | fixed(2)) | \(.cost | fixed(1)) | \(nodes) | \(moves) | \(.forecast_s | fixed(2)) | \(off | percent) | \(.late_ratio | percent) |";
def verdict(text; ok): "| \(text) | \(if ok then "yes" else "**no**" end) |";

. as $runs
| def named(n): [$runs[] | select(.name == n)];
named("two")[0] as $two
| named("eight") as $eight
| ([$eight[].cost] | median) as $dear
| named("moves")[0] as $moves
| (named("deadline") + named("learned")) as $timed
| named("budget") as $budgets
| ($two.bits) as $bits
| "`\($command)`, a node has one core of 1/16 of this machine's speed behind a link of 100 Mbit/s and costs 1 a second.",
  "",
  "| run | time [s] | cost | iterations on nodes | moves | said at the start [s] | off by | ranks late by |",
  "|---|---:|---:|---|---:|---:|---:|---:|",
  ($two | row("2 nodes throughout")),
  ($eight[] | row("8 nodes throughout")),
  (named("deadline")[] | row("deadline \(.deadline_s) s")),
  (named("learned")[] | row("deadline \(.deadline_s) s, no forecast")),
  ($budgets[] | row("budget \(.budget)")),
  (if $moves then $moves | row("\(moves) moves") else empty end),
  "",
  "| requirement | met |",
  "|---|---|",
  verdict("2 nodes miss the deadline, 8 make it"; all($timed[]; $two.time_s > .deadline_s and ([$eight[].time_s] | max) < .deadline_s)),
  verdict("the deadline is met within 3 %, latest \([$timed[] | .time_s / .deadline_s - 1] | max | percent)"; all($timed[]; .time_s <= 1.03 * .deadline_s)),
  verdict("for less than on 8 nodes throughout, \([$timed[].cost / $dear] | max | percent) of that at most"; all($timed[]; .cost < $dear)),
  verdict("the budget is kept, \([$budgets[] | .cost / .budget] | max | percent) of it at most"; all($budgets[]; .cost <= .budget)),
  verdict("what was said at the start is within 10 %, with a forecast"; all((named("deadline") + $budgets)[]; (off | fabs) <= 0.1)),
  verdict("every result is the same to the last bit"; all(($eight + $timed + $budgets)[]; .bits == $bits)),
  (if $moves then verdict("\($moves | moves) moves lose nothing: bits \($moves.bits), without moves \($plain); standing still for \([$moves.events[].pause_s] | median | fixed(2)) s (median)"; $moves.bits == $plain) else empty end)
