/* The reader of networks, and behind it every solver: what is accepted is solved to finite numbers or
 * refused. */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "parcast/queueing.h"

static void require(int condition)
{
    if (!condition) abort();
}

static void check_solution(const parcast_solution *solution)
{
    size_t n_stations = solution->n_stations;
    for (size_t r = 0; r < solution->n_classes; r++) {
        require(isfinite(solution->throughput_per_s[r]) && solution->throughput_per_s[r] >= 0);
        require(isfinite(solution->response_s[r]) && solution->response_s[r] >= 0);
        for (size_t i = r * n_stations; i < (r + 1) * n_stations; i++)
            require(isfinite(solution->queue_length[i]) && solution->queue_length[i] >= 0);
    }
}

static void solve(const parcast_network *network, parcast_solve_method method)
{
    const parcast_solve_limits limits = {.memory_bytes = 1e6, .operations = 1e6};
    parcast_solution *solution = NULL;
    parcast_error error = {0};
    if (parcast_network_solve(network, method, &limits, &solution, &error) == PARCAST_OK)
        check_solution(solution);
    else
        require(error.text[0] != '\0' && !solution);
    parcast_solution_destroy(&solution);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parcast_network *network = NULL;
    parcast_error error = {0};
    if (parcast_network_parse((const char *)data, size, "input", &network, &error) != PARCAST_OK) {
        require(error.text[0] != '\0' && !network);
        return 0;
    }
    require(parcast_network_validate(network, NULL) == PARCAST_OK);
    solve(network, PARCAST_SOLVE_EXACT);
    solve(network, PARCAST_SOLVE_SCHWEITZER);
    solve(network, PARCAST_SOLVE_LINEARIZER);
    parcast_bounds bounds;
    (void)parcast_network_bounds(network, &bounds, NULL);
    parcast_network_destroy(&network);
    return 0;
}
