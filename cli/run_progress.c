#include "run_progress.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "parcast/units.h"

static const double first_s = 2, moving_s = 0.5, first_line_s = 20, lines_s = 60;

void progress_begin(struct progress *progress, struct cli_common *common)
{
    bool shows = !common->quiet && isatty(STDERR_FILENO);
    bool moves = shows && !common->json && !isatty(STDOUT_FILENO);
    *progress = (struct progress){common, shows, moves, moves ? first_s : first_line_s};
}

/* Seconds that are left: what is expected, else as quick as the iterations on these nodes were. */
static double left(const parcast_supervised *state, double end_s)
{
    int64_t done = state->iteration - state->since_iteration;
    if (!isnan(end_s)) return fmax(0, end_s - state->elapsed_s);
    if (state->iterations <= 0 || done < 1) return NAN;
    return state->running_s / (double)done * (double)(state->iterations - state->iteration);
}

static void describe(const parcast_supervised *state, double end_s, char *text, size_t size)
{
    char elapsed[32], rest[32], of[32] = "", tail[48] = "";
    double left_s = left(state, end_s);
    if (state->iterations > 0) snprintf(of, sizeof of, " of %lld", (long long)state->iterations);
    if (!isnan(left_s))
        snprintf(tail, sizeof tail, ", about %s left", parcast_units_format_time(left_s, rest, sizeof rest));
    snprintf(text, size, "iteration %lld%s on %d node%s after %s%s", (long long)state->iteration, of,
             state->nodes, state->nodes == 1 ? "" : "s",
             parcast_units_format_time(state->elapsed_s, elapsed, sizeof elapsed), tail);
}

void progress_show(struct progress *progress, const parcast_supervised *state, double end_s)
{
    char text[192];
    if (!progress->shows || state->elapsed_s < progress->next_s || state->nodes < 1 || state->iteration < 1)
        return;
    progress->next_s = state->elapsed_s + (progress->moves ? moving_s : lines_s);
    describe(state, end_s, text, sizeof text);
    if (progress->moves)
        fprintf(stderr, "\r\033[K%s", text);
    else
        fprintf(stderr, "parcast %s: %s\n", progress->common->command, text);
    progress->common->line_open = progress->moves;
}

void progress_end(struct progress *progress)
{
    if (!progress->common) return;
    cli_close_line(progress->common);
    progress->common->line_open = false;
}
