/* The terms of a move solved for their constants, one measured move at a time: docs/models/plan.md,
 * section 2. */
#include "plan/learn.h"

#include <math.h>

static void average(double *value, double measured, int n)
{
    const int memory = 5;
    *value += (measured - *value) / (n + 1 < memory ? n + 1 : memory);
}

static void learn_launch(parcast_move_model *model, int n, const parcast_size *to, double launch_s)
{
    double fixed_launch_s =
        to->processes * model->launch_per_rank_s + to->nodes * model->launch_per_node_s + model->begin_s;
    if (launch_s < fixed_launch_s) { /* all terms were assumed too large */
        double shrink = fixed_launch_s > 0 ? launch_s / fixed_launch_s : 0;
        model->launch_per_rank_s *= shrink;
        model->launch_per_node_s *= shrink;
        model->begin_s *= shrink;
        fixed_launch_s = launch_s;
    }
    average(&model->launch_s, launch_s - fixed_launch_s, n);
}

void learn_move(parcast_move_model *model, int n, const parcast_size *from, const parcast_size *to,
                const struct learned_move *move)
{
    bool beside = from && move->beside_s > 0;
    learn_launch(model, n, to, beside ? move->beside_s : move->launch_s);
    if (!from) return;
    model->overlaps = beside;
    if (beside) average(&model->resume_s, move->launch_s, n);
    if (!isnan(move->bytes)) model->bytes = move->bytes;
    double save_s = model->bytes / (from->nodes * model->save_bytes_per_s);
    if (save_s > move->stop_s) {
        model->save_bytes_per_s = model->bytes / (from->nodes * fmax(move->stop_s, 1e-6));
        save_s = move->stop_s;
    }
    average(&model->stop_s, move->stop_s - save_s, n);
    double bytes = model->bytes * move_share(from->nodes, to->nodes);
    const double quickest_s = 1e-6; /* below that a clock says nothing about a bandwidth */
    if (bytes > 0 && move->move_s > quickest_s) {
        double seconds_per_byte = 1 / model->move_bytes_per_s;
        average(&seconds_per_byte, move->move_s / bytes, n);
        model->move_bytes_per_s = 1 / seconds_per_byte;
    }
}
