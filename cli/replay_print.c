#include "replay_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table.h"

enum {
    DIGITS = 6,
    MOST_RANKS_SHOWN = 32,
    MOST_SQUARE = 16, /* ranks of a matrix that is printed as one */
    MOST_PAIRS_SHOWN = 20,
    MOST_SHARES_SHOWN = 5,
    MOST_PHASES_SHOWN = 40,
    BAR_WIDTH = 30,
};

/* ---- ranks ---- */

/* "######++...": computing, the rest of communication, waiting, out of the whole run. */
static void put_bar(struct cli_table *table, const parcast_replay_rank *rank, double time_s)
{
    char bar[BAR_WIDTH + 1];
    double scale = time_s > 0 ? BAR_WIDTH / time_s : 0;
    size_t end = (size_t)lround(rank->end_s * scale);
    size_t busy = (size_t)lround((rank->end_s - rank->waiting_s) * scale);
    size_t compute = (size_t)lround(fmin(rank->compute_s, rank->end_s) * scale);
    memset(bar, ' ', BAR_WIDTH);
    memset(bar, '.', end);
    memset(bar, '+', busy);
    memset(bar, '#', compute);
    bar[BAR_WIDTH] = '\0';
    cli_table_put(table, "|%s|", bar);
}

static int print_ranks(const struct cli_common *common, const parcast_replay_result *result)
{
    static const struct cli_column columns[] = {
        {"rank", CLI_RIGHT},        {"end [s]", CLI_RIGHT},
        {"compute [s]", CLI_RIGHT}, {"communication [s]", CLI_RIGHT},
        {"waiting [s]", CLI_RIGHT}, {"# computes  + communicates  . waits", CLI_LEFT}};
    bool bars = isatty(STDOUT_FILENO);
    size_t n_columns = sizeof columns / sizeof columns[0] - !bars;
    int shown = result->n_ranks < MOST_RANKS_SHOWN || common->verbose ? result->n_ranks : MOST_RANKS_SHOWN;
    struct cli_table *table = cli_table_create(common, columns, n_columns);
    for (int r = 0; r < shown; r++) {
        const parcast_replay_rank *rank = &result->ranks[r];
        cli_table_row(table);
        if (r == result->path.rank) cli_table_highlight(table);
        cli_table_put(table, "%d", r);
        cli_table_number(table, rank->end_s, DIGITS);
        cli_table_number(table, rank->compute_s, DIGITS);
        cli_table_number(table, rank->communication_s, DIGITS);
        cli_table_number(table, rank->waiting_s, DIGITS);
        if (bars) put_bar(table, rank, result->time_s);
    }
    int status = cli_table_print(common, &table);
    if (shown < result->n_ranks) cli_note(common, "%d more ranks: -v or --json", result->n_ranks - shown);
    return status;
}

/* ---- collectives ---- */

static const char *table_name(const char *table)
{
    if (strcmp(table, "openmpi") == 0) return "Open MPI 4.1 does them";
    return strcmp(table, "mpich") == 0 ? "MPICH 4.0 does them" : "SimGrid does them by default";
}

static void print_reason(const parcast_replay_collectives *c)
{
    const char *recorded =
        c->from == PARCAST_COLLECTIVES_RECORDING ? "it was recorded with " : "; it was recorded with ";
    if (c->from == PARCAST_COLLECTIVES_OPTION) fputs("as asked for", stdout);
    if (c->from == PARCAST_COLLECTIVES_PLATFORM) fputs("the platform says so", stdout);
    if (c->from == PARCAST_COLLECTIVES_USUAL)
        fputs("the library of the recording is not known (--collectives names it)", stdout);
    else if (c->mpi)
        printf("%s%s", recorded, c->mpi);
    puts(".");
}

/* "Collectives as Open MPI 4.1 does them: it was recorded with Open MPI 4.1.4." */
static void print_collectives(const struct replay_report *report)
{
    const parcast_replay_collectives *c = &report->result->collectives;
    const char *before = "By --collective: ", *after = "";
    if (!c->table) return;
    fputs("\nCollectives ", stdout);
    if (c->file) printf("by the rules of %s, else ", c->file);
    printf("as %s: ", table_name(c->table));
    print_reason(c);
    for (unsigned i = 0; i < PARCAST_COLLECTIVES; i++) {
        if (!report->algorithms[i]) continue;
        printf("%s%s by %s", before, parcast_collective_name((parcast_collective)i), report->algorithms[i]);
        before = ", ";
        after = ".\n";
    }
    fputs(after, stdout);
}

/* ---- critical path ---- */

static void put_part(struct cli_table *table, const char *name, double part_s, double time_s)
{
    if (part_s <= 0) return;
    cli_table_row(table);
    cli_table_put(table, "%s", name);
    cli_table_number(table, part_s, DIGITS);
    cli_table_put(table, "%.1f %%", 100 * part_s / time_s);
}

static void put_shares(struct cli_table *table, const parcast_replay_path *path, double time_s)
{
    size_t n = path->n_parts < MOST_SHARES_SHOWN ? path->n_parts : MOST_SHARES_SHOWN;
    char name[96];
    for (size_t i = 0; i < n; i++) {
        const parcast_replay_share *part = &path->parts[i];
        const char *type = part->node_type ? part->node_type : "";
        if (part->rank < 0)
            snprintf(name, sizeof name, "  on %s", type[0] ? type : "all ranks");
        else
            snprintf(name, sizeof name, "  rank %d%s%.60s", part->rank, type[0] ? " on " : "", type);
        put_part(table, name, part->compute_s, time_s);
    }
    double rest_s = path->compute_s;
    for (size_t i = 0; i < n; i++) rest_s -= path->parts[i].compute_s;
    if (n < path->n_parts) put_part(table, "  others", rest_s, time_s);
}

static double message_time(const parcast_replay_path *path)
{
    return path->overhead_s + path->gap_s + path->latency_s + path->transfer_s + path->sharing_s;
}

static int print_path(const struct cli_common *common, const parcast_replay_result *result)
{
    static const struct cli_column columns[] = {
        {"critical path", CLI_LEFT}, {"time [s]", CLI_RIGHT}, {"of the run", CLI_RIGHT}};
    const parcast_replay_path *path = &result->path;
    const struct {
        const char *name;
        double time_s;
    } rest[] = {{"computing longer on shared cores", path->cores_s},
                {"sleep", path->sleep_s},
                {"CPU time of messages", path->overhead_s},
                {"gap between messages", path->gap_s},
                {"latency", path->latency_s},
                {"transfer", path->transfer_s},
                {"transfer longer on shared links", path->sharing_s}};
    if (path->rank < 0 || result->time_s <= 0) return 0;
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    put_part(table, "compute", path->compute_s, result->time_s);
    put_shares(table, path, result->time_s);
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        put_part(table, rest[i].name, rest[i].time_s, result->time_s);
    put_part(table, "all of messages", message_time(path), result->time_s);
    for (size_t i = 0; i < path->n_operations && i < MOST_SHARES_SHOWN; i++) {
        char name[96];
        snprintf(name, sizeof name, "  in %s", path->operations[i].name);
        put_part(table, name, path->operations[i].time_s, result->time_s);
    }
    putchar('\n');
    int status = cli_table_print(common, &table);
    printf("It ends on rank %d and goes over %llu message%s.\n", path->rank,
           (unsigned long long)path->messages, path->messages == 1 ? "" : "s");
    return status;
}

static int print_what_ifs(const struct cli_common *common, const struct replay_report *report)
{
    static const struct cli_column columns[] = {
        {"what if", CLI_LEFT}, {"time [s]", CLI_RIGHT}, {"saves", CLI_RIGHT}, {"of the path", CLI_RIGHT}};
    if (report->n_what_ifs == 0) return 0;
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (int i = 0; i < report->n_what_ifs; i++) {
        const struct replay_what_if *w = &report->what_ifs[i];
        cli_table_row(table);
        cli_table_put(table, "%s", w->name);
        cli_table_number(table, w->time_s, DIGITS);
        cli_table_put(table, "%.1f %%", 100 * w->saving_ratio);
        if (isfinite(w->at_most_ratio))
            cli_table_put(table, "%.1f %%", 100 * w->at_most_ratio);
        else
            cli_table_put(table, "-");
    }
    putchar('\n');
    int status = cli_table_print(common, &table);
    printf("'saves' is from a replay with the change; 'of the path' is what this critical path alone would "
           "lose.\n");
    return status;
}

/* ---- phases ---- */

static int print_phases(const struct cli_common *common, const parcast_replay_result *result)
{
    static const struct cli_column columns[] = {{"phase", CLI_LEFT},
                                                {"time [s]", CLI_RIGHT},
                                                {"compute [s]", CLI_RIGHT},
                                                {"communication [s]", CLI_RIGHT},
                                                {"waiting [s]", CLI_RIGHT}};
    size_t shown =
        common->verbose || result->n_phases < MOST_PHASES_SHOWN ? result->n_phases : MOST_PHASES_SHOWN;
    if (shown == 0) return 0;
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < shown; i++) {
        const parcast_replay_phase *phase = &result->phases[i];
        cli_table_row(table);
        cli_table_put(table, "%s", phase->name);
        cli_table_number(table, phase->time_s, DIGITS);
        cli_table_number(table, phase->compute_s, DIGITS);
        cli_table_number(table, phase->communication_s, DIGITS);
        cli_table_number(table, phase->waiting_s, DIGITS);
    }
    putchar('\n');
    int status = cli_table_print(common, &table);
    if (shown < result->n_phases) cli_note(common, "%zu more phases: -v or --json", result->n_phases - shown);
    return status;
}

/* ---- matrix ---- */

static void put_bytes(struct cli_table *table, uint64_t bytes)
{
    static const char *const units[] = {"", " K", " M", " G", " T", " P"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1000 && unit + 1 < sizeof units / sizeof units[0]; unit++) value /= 1000;
    if (bytes == 0)
        cli_table_put(table, ".");
    else
        cli_table_put(table, unit ? "%.3g%s" : "%.0f%s", value, units[unit]);
}

static int print_square(const struct cli_common *common, const parcast_replay_result *result)
{
    struct cli_column columns[MOST_SQUARE + 1] = {{"bytes from \\ to", CLI_RIGHT}};
    char titles[MOST_SQUARE][16];
    for (int r = 0; r < result->n_ranks; r++) {
        snprintf(titles[r], sizeof titles[r], "%d", r);
        columns[r + 1] = (struct cli_column){titles[r], CLI_RIGHT};
    }
    struct cli_table *table = cli_table_create(common, columns, (size_t)result->n_ranks + 1);
    size_t next = 0;
    for (int source = 0; source < result->n_ranks; source++) {
        cli_table_row(table);
        cli_table_put(table, "%d", source);
        for (int destination = 0; destination < result->n_ranks; destination++) {
            const parcast_replay_pair *pair = next < result->n_pairs ? &result->pairs[next] : NULL;
            bool speaks = pair && pair->source == source && pair->destination == destination;
            put_bytes(table, speaks ? pair->bytes : 0);
            next += speaks;
        }
    }
    return cli_table_print(common, &table);
}

static int most_bytes_first(const void *a, const void *b)
{
    const parcast_replay_pair *x = *(const parcast_replay_pair *const *)a,
                              *y = *(const parcast_replay_pair *const *)b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    return x < y ? -1 : x > y;
}

static int print_largest(const struct cli_common *common, const parcast_replay_result *result)
{
    static const struct cli_column columns[] = {
        {"from", CLI_RIGHT}, {"to", CLI_RIGHT}, {"messages", CLI_RIGHT}, {"bytes", CLI_RIGHT}};
    const parcast_replay_pair **order = malloc(result->n_pairs * sizeof *order);
    size_t n = common->verbose || result->n_pairs < MOST_PAIRS_SHOWN ? result->n_pairs : MOST_PAIRS_SHOWN;
    struct cli_table *table = order ? cli_table_create(common, columns, 4) : NULL;
    for (size_t i = 0; order && i < result->n_pairs; i++) order[i] = &result->pairs[i];
    if (order) qsort(order, result->n_pairs, sizeof *order, most_bytes_first);
    for (size_t i = 0; table && i < n; i++) {
        cli_table_row(table);
        cli_table_put(table, "%d", order[i]->source);
        cli_table_put(table, "%d", order[i]->destination);
        cli_table_put(table, "%llu", (unsigned long long)order[i]->messages);
        put_bytes(table, order[i]->bytes);
    }
    free(order);
    int status = cli_table_print(common, &table);
    if (n < result->n_pairs)
        cli_note(common, "%zu more pairs with fewer bytes: -v or --json", result->n_pairs - n);
    return status;
}

static int print_matrix(const struct cli_common *common, const struct replay_report *report)
{
    const parcast_replay_result *result = report->result;
    if (!report->show_pairs) return 0;
    putchar('\n');
    if (result->n_pairs == 0) {
        printf("No messages.\n");
        return 0;
    }
    return result->n_ranks <= MOST_SQUARE ? print_square(common, result) : print_largest(common, result);
}

int replay_print_tables(const struct cli_common *common, const struct replay_report *report)
{
    const parcast_replay_result *result = report->result;
    printf("%.9g s simulated: %llu messages, %llu events in %.3g s\n\n", result->time_s,
           (unsigned long long)result->n_messages, (unsigned long long)result->n_events, result->wall_s);
    int status = print_ranks(common, result);
    print_collectives(report);
    if (!status) status = print_path(common, result);
    if (!status) status = print_what_ifs(common, report);
    if (!status) status = print_phases(common, result);
    if (!status) status = print_matrix(common, report);
    if (!status && report->timeline)
        printf("\nTimeline: %s, %llu states and %llu messages.\n", report->timeline,
               (unsigned long long)report->drawn.n_states, (unsigned long long)report->drawn.n_messages);
    return status;
}
