/*
 * The supervisor over several hosts, without an allocator: supervise_hosts DIRECTORY AGENT SIZES PROGRAM
 * [ARG]... SIZES is ITERATION:NODES:FIRST,...: so many nodes from 127.0.0.FIRST on. With the AGENT - all is
 * this machine, ranks are added and retired in memory, and a resize that takes half a second hangs.
 * LAUNCHER in the environment starts the ranks, and PATIENCE is for how many seconds it may take.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/supervisor.h"

enum { MOST = 16 };
static struct {
    long long iteration;
    int nodes, first;
} steps[MOST];
static size_t n_steps;
static size_t at; /* step whose hosts were asked for last */

static parcast_status wish(void *context, const parcast_supervised *state, parcast_wish *answer,
                           parcast_error *error)
{
    (void)context, (void)error;
    size_t i = n_steps - 1;
    while (i > 0 && steps[i].iteration > state->iteration) i--;
    if (state->nodes == steps[i].nodes && i + 1 < n_steps) {
        at = i + 1;
        *answer =
            (parcast_wish){.nodes = steps[at].nodes, .at_iteration = steps[at].iteration, .reason = "test"};
        return PARCAST_OK;
    }
    at = i;
    *answer = (parcast_wish){.nodes = steps[i].nodes, .at_iteration = -1, .reason = "test"};
    return PARCAST_OK;
}

static const parcast_supervisor_host *hosts(void *context, int nodes, size_t *n)
{
    static parcast_supervisor_host list[MOST];
    static char names[MOST][32];
    (void)context;
    for (int i = 0; i < nodes && i < MOST; i++) {
        snprintf(names[i], sizeof names[i], "127.0.0.%d", steps[at].first + i);
        list[i] = (parcast_supervisor_host){.name = names[i], .slots = 1, .speed = 1 + i};
    }
    *n = (size_t)nodes;
    return list;
}

static void tell(void *context, bool warning, const char *text)
{
    (void)context;
    fprintf(stderr, "%s: %s\n", warning ? "warning" : "note", text);
}

int main(int argc, char **argv)
{
    parcast_program program = {0};
    parcast_launcher launcher = {0};
    parcast_error error = {0};
    parcast_supervisor_result result = {0};
    if (argc < 5) return 2;
    for (char *word = strtok(argv[3], ","); word && n_steps < MOST; word = strtok(NULL, ","), n_steps++)
        if (sscanf(word, "%lld:%d:%d", &steps[n_steps].iteration, &steps[n_steps].nodes,
                   &steps[n_steps].first) != 3)
            return 2;
    const parcast_supervisor_calls calls = {.wish = wish, .hosts = hosts, .tell = tell};
    parcast_supervisor_request request = {
        .program = &program,
        .launcher = &launcher,
        .arguments = argv + 5,
        .n_arguments = (size_t)argc - 5,
        .ranks_per_node = 1,
        .directory = argv[1],
        .overlap = true,
        .agent = argv[2],
        .max_retries = 1,
        .resize_patience_s = 0.5,
        .patience_s = getenv("PATIENCE") ? strtod(getenv("PATIENCE"), NULL) : 0,
    };
    if (strcmp(argv[2], "-") == 0) {
        request.agent = NULL;
        request.in_memory = true;
    }
    parcast_status status =
        parcast_program_inspect(argv[4], request.arguments, request.n_arguments, &program, &error);
    if (!status) status = parcast_launcher_choose(&program, getenv("LAUNCHER"), &launcher, &error);
    if (!status) status = parcast_supervise(&request, &calls, NULL, &result, &error);
    if (status) fprintf(stderr, "error: %s %s\n", error.source, error.text);
    for (size_t i = 0; i < result.n_events; i++)
        fprintf(stderr, "event: iteration %lld, %d to %d nodes, %lld bytes, still for %.3f s\n",
                (long long)result.events[i].iteration, result.events[i].from_nodes, result.events[i].to_nodes,
                (long long)result.events[i].bytes, result.events[i].pause_s);
    int exit_status = status ? 1 : result.exit_status;
    parcast_supervisor_result_clear(&result);
    parcast_launcher_clear(&launcher);
    parcast_program_clear(&program);
    return exit_status;
}
