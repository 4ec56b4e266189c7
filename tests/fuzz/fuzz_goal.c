/* GOAL text is refused with a reason and a line, or replayed; and a replay ends, or says why it cannot. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parcast/replay.h"

static void require(int condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const parcast_loggops machine = {
        .L_s = 2e-6, .o_s = 1e-6, .g_s = 1e-6, .G_s_per_byte = 1e-9, .O_s_per_byte = 1e-10, .S_bytes = 100};
    parcast_goal *goal = NULL;
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    if (parcast_goal_parse((const char *)data, size, "input", &goal, &error) != PARCAST_OK) {
        require(error.text[0] != '\0' && !goal);
        return 0;
    }
    if (parcast_goal_ranks(goal) <= 1000 &&
        parcast_replay_goal(goal, &machine, &result, &error) != PARCAST_OK)
        require(error.text[0] != '\0' && !result);
    if (result)
        require(result->time_s >= 0 &&
                result->n_events == parcast_goal_operations(goal) + result->n_messages);
    parcast_replay_result_destroy(&result);
    parcast_goal_destroy(&goal);
    return 0;
}
