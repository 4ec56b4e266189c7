#include "run_schedule.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static parcast_status wrong(const char *text, const char *what, parcast_error *error)
{
    parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--schedule '%s': %s", text, what);
    parcast_error_hint(error, "it is ITERATION:NODES,..., as in 0:2,10:4,20:2");
    return PARCAST_INVALID;
}

/* One whole number from 0, up to a mark. */
static bool take(const char **at, char mark, long long high, long long *value)
{
    char *end;
    errno = 0;
    if (**at < '0' || **at > '9') return false;
    *value = strtoll(*at, &end, 10);
    if (errno || *value > high || (*end != mark && !(mark == ',' && *end == '\0'))) return false;
    *at = *end ? end + 1 : end;
    return true;
}

parcast_status schedule_read(const char *text, struct schedule *schedule, parcast_error *error)
{
    struct schedule made = {0};
    parcast_status status = PARCAST_OK;
    for (const char *at = text; *at && !status;) {
        long long iteration, nodes;
        if (!take(&at, ':', LLONG_MAX, &iteration) || !take(&at, ',', INT_MAX, &nodes))
            status = wrong(text, "it is not a list of numbers", error);
        else if (nodes < 1)
            status = wrong(text, "there must be a node", error);
        else if (made.n == 0 ? iteration != 0 : iteration <= made.steps[made.n - 1].iteration)
            status = wrong(text, "iterations begin with 0 and ascend", error);
        struct schedule_step *grown = status ? NULL : realloc(made.steps, (made.n + 1) * sizeof *grown);
        if (!status && !grown) status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
        if (!grown) continue;
        made.steps = grown;
        made.steps[made.n++] = (struct schedule_step){iteration, (int)nodes};
    }
    if (!status && made.n == 0) status = wrong(text, "it is empty", error);
    if (status)
        free(made.steps);
    else
        *schedule = made;
    return status;
}

parcast_status schedule_check(const struct schedule *schedule, int min_nodes, int max_nodes,
                              parcast_error *error)
{
    for (size_t i = 0; i < schedule->n; i++) {
        int nodes = schedule->steps[i].nodes;
        if (nodes < min_nodes || nodes > max_nodes)
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                     "--schedule has %d nodes, and --nodes %d-%d", nodes, min_nodes,
                                     max_nodes);
    }
    return PARCAST_OK;
}

void schedule_wish(const struct schedule *schedule, const parcast_supervised *state, parcast_wish *wish)
{
    const struct schedule_step *steps = schedule->steps;
    size_t i = schedule->n - 1;
    while (i > 0 && steps[i].iteration > state->iteration) i--;
    bool same = i > 0 && steps[i].nodes == steps[i - 1].nodes;
    *wish = (parcast_wish){.nodes = steps[i].nodes, .at_iteration = -1};
    wish->relaunch = same && state->nodes == wish->nodes && state->since_iteration < steps[i].iteration;
    /* On what is due: look ahead to the next step. */
    if (state->nodes == wish->nodes && !wish->relaunch && i + 1 < schedule->n)
        *wish = (parcast_wish){.nodes = steps[i + 1].nodes,
                               .at_iteration = steps[i + 1].iteration,
                               .relaunch = steps[i + 1].nodes == steps[i].nodes};
    snprintf(wish->reason, sizeof wish->reason, "as --schedule says");
}
