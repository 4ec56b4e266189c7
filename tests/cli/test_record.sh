#!/bin/sh
# `parcast record` and `parcast show` as their users meet them, with every MPI that is installed.
# From CMake besides what lib.sh takes: BEHAVE, path of the test program without the kind of MPI behind it.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
cd "$scratch" || exit 1
unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
unset OMPI_MCA_mpi_yield_when_idle OMPI_MCA_hwloc_base_binding_policy LD_PRELOAD

first=${MPIS%% *}
[ -n "$MPIS" ] || { echo "no MPI is installed: nothing to record"; exit 77; }

# record STATUS ARG...: must end with that status; output in out, messages in err.
record() {
    expected=$1
    shift
    status=0
    timeout 120 "$PARCAST" record "$@" >out 2>err </dev/null || status=$?
    if [ $status = 139 ] && [ "$expected" != 139 ] && grep -q PMIx_server_finalize err; then
        # Open MPI's launcher has crashed as it ended, which it does once in thousands of runs that abort
        status=0
        timeout 120 "$PARCAST" record "$@" >out 2>err </dev/null || status=$?
    fi
    [ $status = "$expected" ] || fail "record $* ended with $status instead of $expected:
$(cat err)"
}
says() { grep -qF -- "$1" err || fail "the messages do not say '$1':
$(cat err)"; }
# A value of the study as JSON: field STUDY EXPRESSION, with the runs in `runs`.
field() {
    "$PARCAST" show "$1" --json >json || fail "show $1 failed"
    python3 -c 'import json, sys; study = json.load(open("json")); runs = study["runs"]; print(eval(sys.argv[1]))' "$2"
}
is() { # is STUDY EXPRESSION VALUE
    value=$(field "$1" "$2")
    [ "$value" = "$3" ] || fail "$2 is $value instead of $3"
}
nothing_is_left() {
    left=$(find . -maxdepth 1 \( -name '.parcast-*' -o -name '*-journal' \))
    [ -z "$left" ] || fail "left behind: $left"
}

counts_that_would_stop_the_machine_are_refused() {
    record 3 -s many.parcast -n 100000 -- "$BEHAVE.$first" work
    says "would stop it"
    [ ! -e many.parcast ] || fail "a study was made"
}
a_run_is_kept_with_ranks_calls_and_messages() {
    for mpi in $MPIS; do
        record 0 -s "kept.$mpi" -n 1,2 -- "$BEHAVE.$mpi" work
        says "complete, stored as run 2 in kept.$mpi"
        is "kept.$mpi" 'study["schema"]' parcast.study/1
        is "kept.$mpi" '[r["ranks"] for r in runs]' '[1, 2]'
        is "kept.$mpi" 'all(r["complete"] for r in runs)' True
        is "kept.$mpi" '[len(r["ranks_detail"]) for r in runs]' '[1, 2]'
        is "kept.$mpi" '{c["name"]: c["count"] for c in runs[1]["calls"]}["MPI_Barrier"]' 20
        is "kept.$mpi" '{c["name"]: c["count"] for c in runs[1]["calls"]}["MPI_Init"]' 2
        is "kept.$mpi" '{c["name"]: c["count"] for c in runs[1]["calls"]}["MPI_Finalize"]' 2
        is "kept.$mpi" 'runs[1]["messages"]["count"], runs[1]["messages"]["bytes"]' '(20, 20000)'
        is "kept.$mpi" 'runs[1]["messages"]["same_node_count"]' 20
        is "kept.$mpi" 'runs[1]["placement"]' '2 ranks on 1 node'
        is "kept.$mpi" 'len(study["problems"]), study["problems"][0]["runs"]' '(1, [1, 2])'
    done
    nothing_is_left
}

the_launcher_belongs_to_the_library_of_the_program() {
    for mpi in $MPIS; do
        record 0 -s "launcher.$mpi" -- "$BEHAVE.$mpi"
        case $mpi in
        mpich) is "launcher.$mpi" 'runs[0]["mpi"].split()[0]' MPICH ;;
        openmpi) is "launcher.$mpi" 'runs[0]["mpi"][:8]' "Open MPI" ;;
        esac
    done
}

a_pipe_among_the_arguments_is_left_to_the_program() {
    mkfifo pipe
    record 0 -s pipe.parcast -- "$BEHAVE.$first" work pipe
    record 0 -s pipe.parcast -- env "$BEHAVE.$first" work pipe
    record 1 -s pipe.parcast --mpiexec "mpiexec.none" -- sh -c true pipe
}

output_input_and_messages_of_the_program_pass_through() {
    printf 'line 1\nline 2\n' >input
    "$PARCAST" record -q -s through -- "$BEHAVE.$first" input <input >out 2>err || fail "$(cat err)"
    printf 'line 1\nline 2\ndone input\n' | cmp -s - out || fail "the program's output is: $(cat out)"
}

json_is_one_object_and_the_program_writes_to_standard_error() {
    record 0 --json -s json.parcast -n 1,2 -- "$BEHAVE.$first" work
    python3 -c 'import json; d = json.load(open("out")); assert d["schema"] == "parcast.study/1"; assert [r["ranks"] for r in d["runs"]] == [1, 2]' ||
        fail "no JSON object: $(cat out)"
    says "done work"
}

the_exit_status_is_that_of_the_program() {
    for mpi in $MPIS; do
        record 7 -s "status.$mpi" -- "$BEHAVE.$mpi" return 7
        is "status.$mpi" '(runs[-1]["exit_status"], runs[-1]["complete"])' '(7, True)'
        record 5 -s "status.$mpi" -n 2 -- "$BEHAVE.$mpi" exit 5
        is "status.$mpi" '(runs[-1]["exit_status"], runs[-1]["complete"])' '(5, False)'
        record 9 -s "status.$mpi" -n 2 -- "$BEHAVE.$mpi" abort 9
        is "status.$mpi" '(runs[-1]["exit_status"], runs[-1]["complete"])' '(9, False)'
    done
}

a_crash_and_a_kill_leave_a_partial_run_with_what_was_done() {
    for mpi in $MPIS; do
        record 139 -s "crash.$mpi" -n 2 -- "$BEHAVE.$mpi" segv
        says partial
        is "crash.$mpi" '(runs[0]["complete"], runs[0]["exit_status"])' '(False, 139)'
        is "crash.$mpi" '{c["name"]: c["count"] for c in runs[0]["calls"]}["MPI_Barrier"]' 20
        record 137 -s "crash.$mpi" -n 2 -- "$BEHAVE.$mpi" kill
        is "crash.$mpi" '(runs[1]["complete"], runs[1]["exit_status"])' '(False, 137)'
    done
}

of_a_list_the_first_failure_counts_and_all_are_run() {
    record 3 -s list -n 1,2 -- "$BEHAVE.$first" only-two
    is list '[r["exit_status"] for r in runs]' '[0, 3]'
}

more_ranks_than_cores_are_said_and_marked() {
    n=$(($(getconf _NPROCESSORS_ONLN) + 1))
    [ $n -le 9 ] || skip "too many cores here to have more ranks"
    for mpi in $MPIS; do
        record 0 -s "over.$mpi" -n $n -- "$BEHAVE.$mpi"
        says "more ranks than cores"
        is "over.$mpi" 'runs[0]["oversubscribed"]' True
        [ "$mpi" != openmpi ] || says OMPI_MCA_rmaps_base_oversubscribe
    done
}

wait_for() { # wait_for FILE PROCESS
    for _ in $(seq 600); do
        [ ! -e "$1" ] || return 0
        kill -0 "$2" 2>/dev/null || fail "the program ended early: $(cat err)"
        sleep 0.1
    done
    fail "the program did not come to its end: $(cat err)"
}

a_hanging_program_is_stopped_and_kept() { # SIGNAL STATUS
    for mpi in $MPIS; do
        rm -f ready
        "$PARCAST" record -s "hang.$1.$mpi" -n 2 -- "$BEHAVE.$mpi" hang "$PWD/ready" >out 2>err &
        process=$!
        wait_for ready $process
        kill "-$1" $process
        status=0
        wait $process || status=$?
        [ $status = "$2" ] || fail "$mpi: record ended with $status instead of $2: $(cat err)"
        is "hang.$1.$mpi" '(len(runs), runs[0]["complete"], runs[0]["ranks"])' '(1, False, 2)'
        is "hang.$1.$mpi" '{c["name"]: c["count"] for c in runs[0]["calls"]}["MPI_Barrier"]' 20
    done
    nothing_is_left
}
ctrl_c_ends_the_program_and_keeps_its_data() { a_hanging_program_is_stopped_and_kept INT 130; }
sigterm_ends_the_program_and_keeps_its_data() { a_hanging_program_is_stopped_and_kept TERM 143; }

a_second_ctrl_c_kills_a_launcher_that_does_not_listen() {
    cat >stubborn <<'EOF'
#!/bin/sh
trap 'touch asked' INT TERM
touch started
sleep 60 &
wait
sleep 60
EOF
    chmod +x stubborn
    "$PARCAST" record -s stubborn.parcast --mpiexec ./stubborn -- "$BEHAVE.$first" >out 2>err &
    process=$!
    wait_for started $process
    kill -INT $process
    wait_for asked $process
    kill -0 $process 2>/dev/null || fail "the launcher was to ignore the first"
    kill -INT $process
    status=0
    wait $process || status=$?
    [ $status = 130 ] || fail "record ended with $status: $(cat err)"
    [ ! -e stubborn.parcast ] || fail "a study was made for nothing"
}

# Every process of the terminal is sent the signal.
a_record_below_nohup_goes_on_when_its_terminal_hangs_up() {
    for mpi in $MPIS; do
        rm -f begun begun.open
        setsid nohup "$PARCAST" record -s "nohup.$mpi" -n 1,2 -- "$BEHAVE.$mpi" gate "$PWD/begun" >out 2>err </dev/null &
        process=$!
        wait_for begun $process
        kill -HUP -$process
        sleep 0.5
        touch begun.open
        status=0
        wait $process || status=$?
        [ $status = 0 ] || fail "$mpi: record ended with $status: $(cat err)"
        is "nohup.$mpi" '[(r["ranks"], r["complete"]) for r in runs]' '[(1, True), (2, True)]'
    done
}

a_killed_record_leaves_the_study_intact() {
    record 0 -s killed -- "$BEHAVE.$first"
    for delay in 0.05 0.1 0.2 0.3 0.4 0.5 0.6; do
        "$PARCAST" record -q -s killed -n 1,1,2 -- "$BEHAVE.$first" >/dev/null 2>&1 &
        process=$!
        sleep $delay
        kill -KILL $process 2>/dev/null || true
        wait $process || true
        [ "$(field killed 'len(runs) >= 1 and all(len(r["ranks_detail"]) == r["ranks"] for r in runs)')" = True ] ||
            fail "runs are missing or torn after $delay s"
    done
    record 0 -s killed -- "$BEHAVE.$first"
    [ -z "$(find . -maxdepth 1 -name '.parcast-*')" ] || fail "what killed ones left is not swept: $(find . -name '.parcast-*')"
}

processes_with() {
    for process in /proc/[0-9]*; do
        ! tr '\0' ' ' <"$process/cmdline" 2>/dev/null | grep -qF -- "$1" || echo "${process#/proc/}"
    done 2>/dev/null
}

a_killed_record_leaves_no_rank_behind() {
    for mpi in $MPIS; do
        rm -f ready
        "$PARCAST" record -q -s orphans -n 2 -- "$BEHAVE.$mpi" hang "$PWD/ready" >/dev/null 2>err &
        process=$!
        wait_for ready $process
        kill -KILL $process
        wait $process || true
        for _ in $(seq 300); do
            left=$(processes_with "hang $PWD/ready")
            [ -n "$left" ] || break
            sleep 0.1
        done
        [ -z "$left" ] || fail "$mpi: still running: $left"
        rm -rf .parcast-*
    done
}

# The message, the status, that nothing was started and nothing made.
refuses() { # refuses STATUS TEXT ARG...
    expected=$1 text=$2
    shift 2
    record "$expected" -s refused "$@"
    says "$text"
    [ ! -e refused ] || fail "a study was made for nothing"
    nothing_is_left
}

a_static_program_is_refused_with_the_cure() {
    echo 'int main(void) { return 0; }' >static.c
    "$CC" -static -o static static.c 2>/dev/null || skip "this compiler links nothing statically"
    refuses 1 "linked statically" -- ./static
    says "hint: link it dynamically"
}

a_missing_mpi_library_is_named() {
    mkdir -p gone
    echo 'int MPI_Init(void) { return 0; }' >gone/mpi.c
    echo 'int MPI_Init(void); int main(void) { return MPI_Init(); }' >lost.c
    "$CC" -shared -fPIC -o gone/libmpi.so.40 -Wl,-soname,libmpi.so.40.99 gone/mpi.c
    "$CC" -o lost lost.c gone/libmpi.so.40
    refuses 1 "'./lost' needs libmpi.so.40.99, which is not found" -- ./lost
    says libopenmpi3
}

a_program_without_mpi_is_named_with_the_probable_reason() {
    refuses 1 "no MPI call of 'true' was seen" -- true
    says "makes no MPI call"
    for mpi in $MPIS; do
        refuses 1 "no MPI call" -- "$BEHAVE.$mpi" early 0
        says "did not call MPI_Init"
    done
}

a_program_that_fails_before_mpi_init_gives_its_own_status() {
    printf '#!/bin/sh\nshift 2\nexec "$@"\n' >bare && chmod +x bare
    refuses 6 "no MPI call" --mpiexec ./bare -- "$BEHAVE.$first" early 6
}

programs_that_cannot_be_started_are_named() {
    refuses 1 "there is no program 'no-such-program' in PATH" -- no-such-program
    refuses 1 "there is no program './no-such-program'" -- ./no-such-program
    echo text >plain
    refuses 1 "not executable" -- ./plain
    refuses 1 "is a directory" -- /
    printf '\177ELF\001\001\001\000\000\000\000\000\000\000\000\000\002\000\003\000' >old && chmod +x old
    refuses 1 "32-bit x86" -- ./old
}

a_launcher_as_program_is_refused() {
    refuses 2 "starts programs" -- mpirun -n 2 "$BEHAVE.$first"
}

a_missing_launcher_is_named_with_its_package() {
    for mpi in $MPIS; do
        status=0
        PATH=/nowhere "$PARCAST" record -s refused -- "$BEHAVE.$mpi" >out 2>err || status=$?
        [ $status = 1 ] || fail "ended with $status: $(cat err)"
        case $mpi in
        mpich) says "apt install mpich" ;;
        openmpi) says "apt install openmpi-bin" ;;
        esac
        [ ! -e refused ] || fail "a study was made for nothing"
    done
    refuses 1 "'no-such-launcher' is not there" --mpiexec 'no-such-launcher -x' -- "$BEHAVE.$first"
    refuses 2 "unbalanced quotes" --mpiexec "mpirun 'x" -- "$BEHAVE.$first"
    refuses 2 "command substitution" --mpiexec 'mpirun $(touch x)' -- "$BEHAVE.$first"
}

a_launcher_of_another_mpi_is_found_out() {
    case $MPIS in
    *mpich*openmpi*) ;;
    *) skip "needs MPICH and Open MPI" ;;
    esac
    refuses 1 "a world of its own" -n 2 --mpiexec mpirun.mpich -- "$BEHAVE.openmpi"
}

the_launcher_command_is_split_as_a_shell_does() {
    cat >launcher <<'EOF'
#!/bin/sh
printf '<%s>' "$@" >words
shift 4
exec "$@"
EOF
    chmod +x launcher
    WORD=two record 0 -s split --mpiexec "./launcher 'a b' \$WORD" -- "$BEHAVE.$first" work
    [ "$(cat words)" = "<a b><${WORD:-}><-n><1><$BEHAVE.$first><work>" ] ||
        [ "$(cat words)" = "<a b><two><-n><1><$BEHAVE.$first><work>" ] || fail "the words were $(cat words)"
}

a_study_that_is_no_study_is_left_as_it_is() {
    echo "my precious notes, longer than the header of a database file could ever be, I hope, and so on and on" >notes
    cp notes before
    record 3 -s notes -- "$BEHAVE.$first" mark started-anyway
    says "not a study"
    cmp -s notes before || fail "the file was changed"
    [ ! -e started-anyway ] || fail "the program was started"
    record 3 -s . -- "$BEHAVE.$first"
    record 1 -s no/such/folder/a.parcast -- "$BEHAVE.$first"
    says "No such file"
}

a_folder_that_cannot_be_written_is_said_before_the_program_starts() {
    [ "$(id -u)" != 0 ] || skip "root may write everywhere"
    mkdir locked && chmod a-w locked
    record 1 -s locked/a.parcast -- "$BEHAVE.$first" mark "$PWD/started-locked"
    [ ! -e started-locked ] || fail "the program was started"
}

# with_small_disk FUNCTION: in disk/, 4 MB
with_small_disk() {
    mkdir -p disk
    mount -t tmpfs -o size=4m none disk 2>/dev/null || skip "only root can mount a small disk"
    (set -eu; "$1") && result=0 || result=$?
    umount disk
    return $result
}

full_before() {
    record 0 -s disk/a.parcast -- "$BEHAVE.$first"
    cat /dev/zero >disk/filler 2>/dev/null || true
    cp disk/a.parcast saved
    record 1 -s disk/a.parcast -- "$BEHAVE.$first" mark "$PWD/started-full"
    says "the disk is full"
    [ ! -e started-full ] || fail "the program was started"
    cmp -s disk/a.parcast saved || fail "the study was changed"
    record 1 -s disk/new.parcast -- "$BEHAVE.$first"
    [ ! -e disk/new.parcast ] || fail "a study was left that is none"
}
a_disk_that_is_full_before_the_run_is_said_and_nothing_changed() { with_small_disk full_before; }

full_after() {
    record 0 -s disk/a.parcast -- "$BEHAVE.$first"
    record 1 -s disk/a.parcast -- "$BEHAVE.$first" fill "$PWD/disk/filler"
    says "the disk is full"
    says "are kept in"
    kept=$(sed -n "s/.*are kept in '\(.*\)'.*/\1/p" err)
    [ -n "$(ls "$kept")" ] || fail "nothing is kept in '$kept'"
    is disk/a.parcast 'len(runs)' 1
    rm disk/filler
    record 0 -s disk/a.parcast -- "$BEHAVE.$first"
    is disk/a.parcast 'len(runs)' 2
}
a_disk_that_fills_during_the_run_loses_nothing() { with_small_disk full_after; }

full_for_ranks() {
    record 0 -s disk/a.parcast -- "$BEHAVE.$first"
    free_kb=$(df -k --output=avail disk | tail -n 1)
    head -c $(((free_kb - 100) * 1024)) /dev/zero >disk/filler
    for n in 1 2; do
        record 1 -s disk/a.parcast -n $n -- "$BEHAVE.$first"
        says "the disk is full: no rank"
        is disk/a.parcast 'len(runs)' 1
    done
    rm disk/filler
    record 0 -s disk/a.parcast -- "$BEHAVE.$first"
    is disk/a.parcast 'len(runs)' 2
}
a_disk_without_room_for_the_ranks_is_said_and_nothing_changed() { with_small_disk full_for_ranks; }

scripts_and_wrappers_are_followed_to_the_program() {
    for mpi in $MPIS; do
        mkdir -p "place.$mpi"
        cp "$BEHAVE.$mpi" "place.$mpi/solver"
        printf '#!/bin/sh\n# mpirun would be wrong here\nexport A=1\nexec "$(dirname "$0")/solver" "$@"\n' >"place.$mpi/run.sh"
        chmod +x "place.$mpi/run.sh"
        record 0 -s "script.$mpi" -n 2 -- "place.$mpi/run.sh" work
        record 0 -s "script.$mpi" -n 2 -- env A=1 "$BEHAVE.$mpi" work
        record 0 -s "script.$mpi" -n 2 -- sh -c "'$BEHAVE.$mpi' work"
        record 0 -s "script.$mpi" -n 2 -- sh "place.$mpi/run.sh" work
        cp "place.$mpi/run.sh" "place.$mpi/a run"
        record 0 -s "script.$mpi" -n 2 -- sh "place.$mpi/a run" work
        (cd "place.$mpi" && timeout 120 "$PARCAST" record -q -s "../script.$mpi" -n 2 -- sh run.sh work) >out 2>err ||
            fail "an executable script without a slash is not followed: $(cat err)"
        is "script.$mpi" '[r["ranks"] for r in runs]' '[2, 2, 2, 2, 2, 2]'
        is "script.$mpi" 'len(study["problems"])' 6
    done
}

what_was_preloaded_before_stays() {
    ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=libm.so.6 record 0 -s preload -- sh -c "echo \$LD_PRELOAD; exec '$BEHAVE.$first'"
    grep -q 'libparcast-record.so:libm.so.6$' out || fail "LD_PRELOAD was $(cat out)"
}

paths_with_blanks_work() {
    mkdir -p "my runs"
    cp "$BEHAVE.$first" "my runs/my program"
    record 0 -s "my runs/a study" -- "my runs/my program" "an argument"
    is "my runs/a study" 'runs[0]["program"], runs[0]["arguments"]' "('my runs/my program', ['an argument'])"
    "$PARCAST" show "my runs/a study" | grep -qF "'my runs/my program' 'an argument'" || fail "show does not quote"
}

the_node_type_is_kept() {
    record 0 -s typed --node big -- "$BEHAVE.$first"
    is typed 'runs[0]["nodes"][0]["type"]' big
}

usage_errors_have_status_two() {
    record 2 -- "$BEHAVE.$first"
    says "-s STUDY is missing"
    record 2 -s refused
    says "no program given"
    record 2 -s refused -n 0 -- "$BEHAVE.$first"
    record 2 -s refused -n x -- "$BEHAVE.$first"
    record 2 -s refused --no-such-option -- "$BEHAVE.$first"
    [ ! -e refused ] || fail "a study was made for nothing"
}

show_lists_runs_and_details() {
    record 0 -s shown -n 1,2 -- "$BEHAVE.$first" work
    "$PARCAST" show shown >out || fail "show failed"
    grep -q "2 runs of 1 problem" out || fail "no heading: $(cat out)"
    grep -qF "$BEHAVE.$first work" out || fail "no program: $(cat out)"
    "$PARCAST" show shown --run 2 >out || fail "show --run failed"
    for word in MPI_Barrier MPI_Sendrecv '10 kB' 'rank to rank' 'call sites' '512 B to 1 KiB'; do
        grep -qF "$word" out || fail "no '$word' in
$(cat out)"
    done
    "$PARCAST" show shown --run 2 --json >json || fail "show --json failed"
    python3 - <<'EOF' || fail "the details are wrong"
import json
run = json.load(open("json"))["runs"][0]
pairs = {(m["from"], m["to"]): (m["count"], m["bytes"]) for m in run["matrix"]}
assert pairs == {(0, 1): (10, 10000), (1, 0): (10, 10000)}, pairs
sent = [(h["from_bytes"], h["below_bytes"], h["count"]) for h in run["histogram"] if h["class"] == "send"]
assert sent == [(512, 1024, 20)], sent
assert [c["count"] for c in run["collectives"] if c["name"] == "MPI_Barrier"] == [20]
assert run["sites"] and run["nodes"][0]["ranks"] == 2
EOF
}

show_says_what_is_wrong() {
    status=0
    "$PARCAST" show nothing.parcast >out 2>err || status=$?
    [ $status = 1 ] || fail "a missing study: $status"
    says "no such study"
    echo text >text.parcast
    status=0
    "$PARCAST" show text.parcast >out 2>err || status=$?
    [ $status = 3 ] || fail "no study: $status"
    record 0 -s few -- "$BEHAVE.$first"
    status=0
    "$PARCAST" show few --run 2 >out 2>err || status=$?
    [ $status = 1 ] || fail "a missing run: $status"
    says "there is no run 2; there are 1"
    status=0
    "$PARCAST" show few --run x >out 2>err || status=$?
    [ $status = 2 ] || fail "a run that is no number: $status"
}

run a_run_is_kept_with_ranks_calls_and_messages \
    the_launcher_belongs_to_the_library_of_the_program \
    a_pipe_among_the_arguments_is_left_to_the_program \
    output_input_and_messages_of_the_program_pass_through \
    json_is_one_object_and_the_program_writes_to_standard_error \
    the_exit_status_is_that_of_the_program \
    a_crash_and_a_kill_leave_a_partial_run_with_what_was_done \
    of_a_list_the_first_failure_counts_and_all_are_run \
    more_ranks_than_cores_are_said_and_marked \
    ctrl_c_ends_the_program_and_keeps_its_data \
    sigterm_ends_the_program_and_keeps_its_data \
    a_second_ctrl_c_kills_a_launcher_that_does_not_listen \
    a_record_below_nohup_goes_on_when_its_terminal_hangs_up \
    a_killed_record_leaves_the_study_intact \
    a_killed_record_leaves_no_rank_behind \
    a_static_program_is_refused_with_the_cure \
    a_missing_mpi_library_is_named \
    a_program_without_mpi_is_named_with_the_probable_reason \
    a_program_that_fails_before_mpi_init_gives_its_own_status \
    programs_that_cannot_be_started_are_named \
    a_launcher_as_program_is_refused \
    a_missing_launcher_is_named_with_its_package \
    a_launcher_of_another_mpi_is_found_out \
    the_launcher_command_is_split_as_a_shell_does \
    a_study_that_is_no_study_is_left_as_it_is \
    a_folder_that_cannot_be_written_is_said_before_the_program_starts \
    a_disk_that_is_full_before_the_run_is_said_and_nothing_changed \
    a_disk_that_fills_during_the_run_loses_nothing \
    a_disk_without_room_for_the_ranks_is_said_and_nothing_changed \
    scripts_and_wrappers_are_followed_to_the_program \
    what_was_preloaded_before_stays \
    paths_with_blanks_work \
    the_node_type_is_kept \
    counts_that_would_stop_the_machine_are_refused \
    usage_errors_have_status_two \
    show_lists_runs_and_details \
    show_says_what_is_wrong
