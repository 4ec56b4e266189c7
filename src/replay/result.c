#include "replay/result.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define SECOND_PS 1e12

parcast_replay_result *replay_result_create(int n_ranks)
{
    parcast_replay_result *result = calloc(1, sizeof *result);
    if (!result) return NULL;
    result->n_ranks = n_ranks;
    result->ranks = calloc((size_t)n_ranks, sizeof *result->ranks);
    result->path.rank = -1;
    if (!result->ranks) parcast_replay_result_destroy(&result);
    return result;
}

void parcast_replay_result_destroy(parcast_replay_result **result)
{
    if (!*result) return;
    free((*result)->ranks);
    free((*result)->path.parts);
    free((*result)->path.operations);
    free((*result)->pairs);
    free((*result)->collectives.file);
    free((*result)->collectives.mpi);
    free((*result)->phases);
    free(*result);
    *result = NULL;
}

void replay_result_set(parcast_replay_result *result, int rank, int64_t end_ps, int64_t compute_ps,
                       int64_t waiting_ps)
{
    int64_t other_ps = end_ps > compute_ps ? end_ps - compute_ps : 0; /* several CPUs may compute at once */
    parcast_replay_rank *line = &result->ranks[rank];
    line->end_ps = end_ps;
    line->end_s = (double)end_ps / SECOND_PS;
    line->compute_s = (double)compute_ps / SECOND_PS;
    line->communication_s = (double)other_ps / SECOND_PS;
    line->waiting_s = (double)(waiting_ps < other_ps ? waiting_ps : other_ps) / SECOND_PS;
    result->time_s = fmax(result->time_s, line->end_s);
}

double replay_wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void replay_result_close(parcast_replay_result *result, double begin_s)
{
    struct rusage usage;
    result->wall_s = replay_wall() - begin_s;
    if (getrusage(RUSAGE_SELF, &usage) == 0) result->peak_memory_bytes = (uint64_t)usage.ru_maxrss * 1024;
}

static bool usable(double value, double most)
{
    return value >= 0 && value <= most;
}

/* A time per byte that is a whole number of ps but for the rounding of its decimal fraction is that number.
 */
static double to_ps_per_byte(double s_per_byte)
{
    double ps = s_per_byte * SECOND_PS, whole = round(ps);
    return fabs(ps - whole) <= 1e-12 * whole ? whole : ps;
}

parcast_status replay_loggops(const parcast_loggops *given, struct loggops_parameters *parameters,
                              parcast_error *error)
{
    enum { MOST_S = 1000 };
    const struct {
        const char *name;
        double value, most;
    } fields[] = {{"L", given->L_s, MOST_S},          {"o", given->o_s, MOST_S},
                  {"g", given->g_s, MOST_S},          {"G", given->G_s_per_byte, MOST_S},
                  {"O", given->O_s_per_byte, MOST_S}, {"S", given->S_bytes, INFINITY}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (!usable(fields[i].value, fields[i].most))
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "LogGOPS parameter %s cannot be %g",
                                     fields[i].name, fields[i].value);
    *parameters =
        (struct loggops_parameters){.L_ps = llround(given->L_s * SECOND_PS),
                                    .o_ps = llround(given->o_s * SECOND_PS),
                                    .g_ps = llround(given->g_s * SECOND_PS),
                                    .G_ps_per_byte = to_ps_per_byte(given->G_s_per_byte),
                                    .O_ps_per_byte = to_ps_per_byte(given->O_s_per_byte),
                                    .S_bytes = given->S_bytes < 9e18 ? (int64_t)given->S_bytes : INT64_MAX,
                                    .compat = given->compat,
                                    .receive_by_nic = given->receive_by_nic,
                                    .handshake = given->handshake};
    return PARCAST_OK;
}
