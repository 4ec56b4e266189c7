/* The columns of every table that mirrors a C structure. The order here is the order in the file. */
#include "study/tables.h"

#include "parcast/study.h"

#define FIELD(type, field, kind) {#field, STUDY_##kind, offsetof(type, field), sizeof(((type *)0)->field)}
#define COLUMNS(list)            list, sizeof list / sizeof list[0]

#define RUN(field, kind) FIELD(parcast_run, field, kind)
static const study_column run_columns[] = {
    RUN(source, SOURCE),      RUN(started_at, TEXT_NULL), RUN(mpi, TEXT_NULL),
    RUN(launcher, TEXT_NULL), RUN(placement, TEXT_NULL),  RUN(n_ranks, COUNT),
    RUN(n_nodes_used, COUNT), RUN(complete, BOOL),        RUN(oversubscribed, BOOL),
    RUN(weak, BOOL),          RUN(exit_status, INT),      RUN(time_s, REAL),
    RUN(wall_s, REAL),        RUN(compute_s, REAL),       RUN(mpi_s, REAL),
    RUN(wait_s, REAL),        RUN(imbalance_ratio, REAL), RUN(load_average, REAL),
    RUN(notes, TEXT_NULL),
};
const study_table study_run_table = {
    .name = "run",
    .keys = "run_id INTEGER PRIMARY KEY AUTOINCREMENT, problem_id INTEGER NOT NULL REFERENCES problem",
    .columns = COLUMNS(run_columns),
    .size = sizeof(parcast_run),
};

#define NODE(field, kind) FIELD(parcast_run_node, field, kind)
static const study_column node_columns[] = {
    NODE(name, TEXT),           NODE(type, TEXT_NULL), NODE(n_ranks, COUNT),     NODE(cores, COUNT),
    NODE(allowed_cores, COUNT), NODE(sockets, COUNT),  NODE(memory_bytes, REAL), NODE(calibration, REAL),
};
const study_table study_node_table = {
    .name = "run_node",
    .keys = "run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, node_no INTEGER NOT NULL",
    .tail = ", PRIMARY KEY (run_id, node_no)",
    .columns = COLUMNS(node_columns),
    .size = sizeof(parcast_run_node),
};

#define PROFILE(field, kind) FIELD(parcast_rank_profile, field, kind)
static const study_column rank_columns[] = {
    PROFILE(world_id, UINT64),
    PROFILE(spawned, BOOL),
    PROFILE(rank, COUNT),
    PROFILE(n_ranks, COUNT),
    PROFILE(node, COUNT),
    PROFILE(n_nodes, COUNT),
    PROFILE(host, CHARS),
    PROFILE(pid, INT64),
    PROFILE(launcher_pid, INT64),
    PROFILE(core, INT),
    PROFILE(allowed_cores, COUNT),
    PROFILE(node_allowed_cores, COUNT),
    PROFILE(node_cores, COUNT),
    PROFILE(node_logical_cores, COUNT),
    PROFILE(node_sockets, COUNT),
    PROFILE(node_ranks, COUNT),
    PROFILE(node_memory_bytes, REAL),
    PROFILE(calibration, REAL),
    PROFILE(load_average, REAL),
    PROFILE(mpi, CHARS),
    PROFILE(mpi_version, CHARS),
    PROFILE(mpi_text, CHARS),
    PROFILE(thread_level_asked, INT),
    PROFILE(thread_level, INT),
    PROFILE(n_threads, COUNT),
    PROFILE(complete, BOOL),
    PROFILE(end, END),
    PROFILE(oversubscribed, BOOL),
    PROFILE(uncounted, BOOL),
    PROFILE(unsaved, BOOL),
    PROFILE(lost_sites, UINT64),
    PROFILE(lost_peers, UINT64),
    PROFILE(lost_collectives, UINT64),
    PROFILE(lost_requests, UINT64),
    PROFILE(start_unix_s, REAL),
    PROFILE(time_s, REAL),
    PROFILE(startup_s, REAL),
    PROFILE(shutdown_s, REAL),
    PROFILE(mpi_s, REAL),
    PROFILE(wait_s, REAL),
    PROFILE(io_s, REAL),
    PROFILE(compute_wall_s, REAL),
    PROFILE(compute_s, REAL),
    PROFILE(cpu_s, REAL),
    PROFILE(thread_cpu_s, REAL),
    PROFILE(other_threads_mpi_s, REAL),
    PROFILE(other_threads_compute_s, REAL),
    PROFILE(switches_voluntary, UINT64),
    PROFILE(switches_involuntary, UINT64),
    PROFILE(peak_memory_bytes, REAL),
    PROFILE(syncs_per_window, UINT64),
    PROFILE(n_syncs, UINT64),
    PROFILE(n_rounds, UINT64),
    PROFILE(n_cycles, UINT64),
    PROFILE(cycle_s, REAL),
    PROFILE(cycle_sq_s2, REAL),
    PROFILE(cycle_min_s, REAL),
    PROFILE(cycle_max_s, REAL),
};
const study_table study_rank_table = {
    .name = "rank",
    .keys = "run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, profile_no INTEGER NOT NULL",
    .tail = ", PRIMARY KEY (run_id, profile_no)",
    .columns = COLUMNS(rank_columns),
    .size = sizeof(parcast_rank_profile),
};

#define CALL(field, kind) FIELD(parcast_profile_call, field, kind)
static const study_column call_columns[] = {
    CALL(name, CHARS),  CALL(count, UINT64), CALL(time_s, REAL), CALL(bytes, UINT64),
    CALL(wait_s, REAL), CALL(min_s, REAL),   CALL(max_s, REAL),
};

#define SIZES(field, kind) FIELD(parcast_profile_sizes, field, kind)
static const study_column sizes_columns[] = {
    SIZES(message_class, CLASS), SIZES(reach, REACH), SIZES(bin, BIN),    SIZES(count, UINT64),
    SIZES(bytes, UINT64),        SIZES(time_s, REAL), SIZES(min_s, REAL),
};

#define COLLECTIVE(field, kind) FIELD(parcast_profile_collective, field, kind)
static const study_column collective_columns[] = {
    COLLECTIVE(name, CHARS),   COLLECTIVE(n_ranks, COUNT), COLLECTIVE(reach, REACH), COLLECTIVE(bin, BIN),
    COLLECTIVE(count, UINT64), COLLECTIVE(bytes, UINT64),  COLLECTIVE(time_s, REAL), COLLECTIVE(min_s, REAL),
};

#define PEER(field, kind) FIELD(parcast_profile_peer, field, kind)
static const study_column peer_columns[] = {
    PEER(rank, INT),
    PEER(reach, REACH),
    PEER(count, UINT64),
    PEER(bytes, UINT64),
};

#define SITE(field, kind) FIELD(parcast_profile_site, field, kind)
static const study_column site_columns[] = {
    SITE(name, CHARS),    SITE(module, TEXT_NULL), SITE(offset, UINT64),      SITE(bin, BIN),
    SITE(blocking, BOOL), SITE(count, UINT64),     SITE(bytes, UINT64),       SITE(time_s, REAL),
    SITE(min_s, REAL),    SITE(compute_s, REAL),   SITE(compute_sq_s2, REAL), SITE(compute_min_s, REAL),
};

#define PHASE(field, kind) FIELD(parcast_profile_phase, field, kind)
static const study_column phase_columns[] = {
    PHASE(level, INT),
    PHASE(count, UINT64),
    PHASE(time_s, REAL),
    PHASE(compute_s, REAL),
};

static const study_column window_columns[] = {{"compute_s", STUDY_REAL, 0, sizeof(double)}};

#define RANK_TABLE(table, list, type, field, count, part_bit)                                                \
    {                                                                                                        \
        .name = table,                                                                                       \
        .keys = "run_id INTEGER NOT NULL, profile_no INTEGER NOT NULL, item_no INTEGER NOT NULL",            \
        .tail = ", PRIMARY KEY (run_id, profile_no, item_no), FOREIGN KEY (run_id, profile_no) REFERENCES "  \
                "rank ON DELETE CASCADE",                                                                    \
        .columns = COLUMNS(list),                                                                            \
        .size = sizeof(type),                                                                                \
        .array = #field,                                                                                     \
        .array_offset = offsetof(parcast_rank_profile, field),                                               \
        .count_offset = offsetof(parcast_rank_profile, count),                                               \
        .part = part_bit,                                                                                    \
    }
const study_table study_array_tables[STUDY_N_ARRAYS] = {
    RANK_TABLE("rank_call", call_columns, parcast_profile_call, calls, n_calls, PARCAST_PART_CALLS),
    RANK_TABLE("rank_size", sizes_columns, parcast_profile_sizes, sizes, n_sizes, PARCAST_PART_SIZES),
    RANK_TABLE("rank_collective", collective_columns, parcast_profile_collective, collectives, n_collectives,
               PARCAST_PART_COLLECTIVES),
    RANK_TABLE("rank_peer", peer_columns, parcast_profile_peer, peers, n_peers, PARCAST_PART_PEERS),
    RANK_TABLE("rank_site", site_columns, parcast_profile_site, sites, n_sites, PARCAST_PART_SITES),
    RANK_TABLE("rank_phase", phase_columns, parcast_profile_phase, phases, n_phases, PARCAST_PART_PHASES),
    RANK_TABLE("rank_window", window_columns, double, windows_s, n_windows, PARCAST_PART_WINDOWS),
};
