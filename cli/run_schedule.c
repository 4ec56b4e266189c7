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

void schedule_wish(const struct schedule *schedule, const parcast_supervised *state, parcast_wish *wish)
{
    size_t i = schedule->n;
    while (i > 1 && schedule->steps[i - 1].iteration > state->iteration) i--;
    wish->nodes = schedule->steps[i - 1].nodes;
    wish->at_iteration = -1;
    /* On the size that is due: look ahead to the next change. */
    for (; state->nodes == wish->nodes && i < schedule->n; i++)
        if (schedule->steps[i].nodes != wish->nodes) {
            wish->nodes = schedule->steps[i].nodes;
            wish->at_iteration = schedule->steps[i].iteration;
            break;
        }
    snprintf(wish->reason, sizeof wish->reason, "as --schedule says");
}
