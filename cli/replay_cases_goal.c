/* Cases of kind "goal": GOAL text or a named pattern under LogGOPS, times in ns. */
#include <stdlib.h>
#include <string.h>

#include "parcast/replay.h"
#include "replay_cases.h"

/* A pattern being built: the first error stops it, later calls do nothing. */
struct pattern {
    parcast_goal *goal;
    int n_ranks, rank;
    int64_t bytes;
    parcast_status status;
    parcast_error *error;
};

static uint64_t add(struct pattern *p, parcast_goal_kind kind, int64_t amount, int peer, int tag)
{
    parcast_goal_operation operation = {.kind = kind, .amount = amount, .peer = peer, .tag = tag};
    uint64_t number = 0;
    if (!p->status) p->status = parcast_goal_add(p->goal, &operation, &number, p->error);
    return number;
}

static uint64_t send_to(struct pattern *p, int peer, int tag)
{
    return add(p, PARCAST_GOAL_SEND, p->bytes, peer, tag);
}

static uint64_t receive_from(struct pattern *p, int peer, int tag)
{
    return add(p, PARCAST_GOAL_RECEIVE, p->bytes, peer, tag);
}

static void require(struct pattern *p, uint64_t later, uint64_t earlier)
{
    if (!p->status) p->status = parcast_goal_require(p->goal, later, earlier, false, p->error);
}

static int wrap(const struct pattern *p, int rank)
{
    return ((rank % p->n_ranks) + p->n_ranks) % p->n_ranks;
}

static void dissemination(struct pattern *p, const json_t *arguments)
{
    uint64_t before[2] = {0};
    (void)arguments;
    for (int distance = 1; distance < p->n_ranks; distance *= 2) {
        uint64_t now[2] = {send_to(p, wrap(p, p->rank + distance), 0),
                           receive_from(p, wrap(p, p->rank - distance), 0)};
        for (int i = 0; i < 4 && distance > 1; i++) require(p, now[i / 2], before[i % 2]);
        memcpy(before, now, sizeof before);
    }
}

static void linear_alltoall(struct pattern *p, const json_t *arguments)
{
    (void)arguments;
    for (int i = 1; i < p->n_ranks; i++) {
        send_to(p, wrap(p, p->rank + i), 0);
        receive_from(p, wrap(p, p->rank - i), 0);
    }
}

/* px = largest divisor of the ranks that is not above their root */
static int grid_width(int n_ranks)
{
    int px = 1;
    for (int d = 1; d * d <= n_ranks; d++)
        if (n_ranks % d == 0) px = d;
    return px;
}

static void halo(struct pattern *p, const json_t *arguments)
{
    enum { NEIGHBOURS = 4 };
    int iterations = (int)number_at(arguments, "iters", 0), px = grid_width(p->n_ranks), py = p->n_ranks / px;
    int x = p->rank % px, y = p->rank / px;
    int64_t ns = (int64_t)number_at(arguments, "calc", 0);
    int neighbour[NEIGHBOURS] = {y * px + (x + 1) % px, y * px + (x + px - 1) % px, (y + 1) % py * px + x,
                                 (y + py - 1) % py * px + x};
    uint64_t before[2 * NEIGHBOURS] = {0};
    for (int i = 0; i < iterations; i++) {
        uint64_t calc = add(p, PARCAST_GOAL_COMPUTE, ns, 0, 0);
        for (int n = 0; n < 2 * NEIGHBOURS && i > 0; n++) require(p, calc, before[n]);
        for (int n = 0; n < NEIGHBOURS; n++) before[n] = receive_from(p, neighbour[n ^ 1], n);
        for (int n = 0; n < NEIGHBOURS; n++) before[NEIGHBOURS + n] = send_to(p, neighbour[n], n);
        for (int n = 0; n < 2 * NEIGHBOURS; n++) require(p, before[n], calc);
    }
}

static void wavefront(struct pattern *p, const json_t *arguments)
{
    int px = (int)number_at(arguments, "px", 1), py = (int)number_at(arguments, "py", 1);
    int x = p->rank % px, y = p->rank / px, iterations = (int)number_at(arguments, "iters", 0);
    uint64_t last = 0;
    for (int tag = 0; tag < iterations; tag++) {
        uint64_t west = x > 0 ? receive_from(p, p->rank - 1, tag) : 0;
        uint64_t north = y > 0 ? receive_from(p, p->rank - px, tag) : 0;
        uint64_t calc = add(p, PARCAST_GOAL_COMPUTE, (int64_t)number_at(arguments, "calc", 0), 0, 0);
        if (x > 0) require(p, calc, west);
        if (y > 0) require(p, calc, north);
        if (tag > 0) require(p, calc, last);
        if (x < px - 1) require(p, send_to(p, p->rank + 1, tag), calc);
        if (y < py - 1) require(p, send_to(p, p->rank + px, tag), calc);
        last = calc;
    }
}

static int ranks_of(const json_t *arguments)
{
    double grid = number_at(arguments, "px", 0) * number_at(arguments, "py", 0);
    return (int)number_at(arguments, "ranks", grid);
}

static parcast_status build_pattern(struct check *check, const json_t *input, parcast_goal **goal,
                                    parcast_error *error)
{
    static const struct {
        const char *name;
        void (*rank)(struct pattern *, const json_t *);
    } patterns[] = {{"dissemination", dissemination},
                    {"linear_alltoall", linear_alltoall},
                    {"halo", halo},
                    {"wavefront", wavefront}};
    const char *name = text_at(input, "pattern");
    const json_t *arguments = json_object_get(input, "args");
    size_t i = 0, n = sizeof patterns / sizeof patterns[0];
    while (i < n && strcmp(patterns[i].name, name) != 0) i++;
    if (i == n) {
        check_fail(check, "pattern '%s' is not known", name);
        return PARCAST_INVALID;
    }
    struct pattern pattern = {
        .n_ranks = ranks_of(arguments), .bytes = (int64_t)number_at(arguments, "bytes", 0), .error = error};
    pattern.status = parcast_goal_create(pattern.n_ranks, &pattern.goal, error);
    for (int r = 0; r < pattern.n_ranks && !pattern.status; r++) {
        pattern.rank = r;
        pattern.status = parcast_goal_begin(pattern.goal, r, error);
        patterns[i].rank(&pattern, arguments);
    }
    if (!pattern.status) pattern.status = parcast_goal_finish(pattern.goal, error);
    *goal = pattern.goal;
    return pattern.status;
}

static parcast_status read_goal(struct check *check, parcast_goal **goal, parcast_error *error)
{
    const json_t *input = json_object_get(check->test, "input");
    const char *text = text_at(input, "text");
    if (strcmp(text_at(input, "format"), "goal-pattern") == 0)
        return build_pattern(check, input, goal, error);
    return parcast_goal_parse(text, strlen(text), text_at(check->test, "id"), goal, error);
}

static void compare(struct check *check, const parcast_replay_result *result)
{
    const json_t *makespan = json_object_get(json_object_get(check->test, "expect"), "makespan");
    double *end_ns = calloc((size_t)result->n_ranks, sizeof *end_ns), latest = 0;
    if (!end_ns) {
        check_fail(check, "out of memory");
        return;
    }
    for (int r = 0; r < result->n_ranks; r++) {
        end_ns[r] = (double)result->ranks[r].end_ps / 1000;
        if (end_ns[r] > latest) latest = end_ns[r];
    }
    check_array(check, "rank_end", end_ns, (size_t)result->n_ranks);
    if (makespan) check_number(check, "makespan", 0, latest, makespan);
    free(end_ns);
}

parcast_loggops case_loggops(const struct check *check)
{
    const double ns = 1e-9;
    const json_t *model = json_object_get(check->test, "model");
    return (parcast_loggops){.L_s = number_at(model, "L", 0) * ns,
                             .o_s = number_at(model, "o", 0) * ns,
                             .g_s = number_at(model, "g", 0) * ns,
                             .G_s_per_byte = number_at(model, "G", 0) * ns,
                             .O_s_per_byte = number_at(model, "O", 0) * ns,
                             .S_bytes = number_at(model, "S", 65535)};
}

void check_goal(struct check *check)
{
    const parcast_loggops loggops = case_loggops(check);
    parcast_goal *goal = NULL;
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    parcast_status status = read_goal(check, &goal, &error);
    if (!status) status = parcast_replay_goal(goal, &loggops, &result, &error);
    if (status)
        check_error(check, &error);
    else
        compare(check, result);
    parcast_replay_result_destroy(&result);
    parcast_goal_destroy(&goal);
}
