/* See window.h. The followed run stops at the end of an iteration once iterations repeat: as many values made
 * as before, hardly a new vertex, and, looking back over the last ones, nearly all words written that were
 * ever written. Of a sample it then leaves iterations out: nothing is followed in them, and what the next one
 * reads has the values of the last one, as if it came right behind that. */
#include "valueflow/runtime/steps/window.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/process/dump.h"
#include "valueflow/runtime/process/ending.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/steps/again.h"
#include "valueflow/runtime/steps/tally.h"
#include "valueflow/runtime/steps/written.h"
#include "valueflow/runtime/tables/tables.h"
#include "valueflow/runtime/values/value.h"

/* No clock decides what is followed: a busy machine gives the same words. */
enum { WATCHED = 48, LONGEST = 20, PATIENCE = 40, MOST_TRIES = 3, MOST_SAMPLES = 62 };
enum { PER_WINDOW = 50 }; /* one of so many iterations is followed */
static const double drift_ratio = 0.05, new_ratio = 0.01, written_ratio = 0.9, written_at_once_ratio = 0.99;

static bool done = true;
static uint64_t total, n_steps, last_created, last_inputs, last_vertices;
static uint64_t created[WATCHED], inputs[WATCHED]; /* by the last iterations, rings; created: inputs, too */
static uint64_t first_step;                        /* of the window; 0: none yet */
static uint64_t tried;   /* counts were noted behind it, before it was known to repeat; 0: none */
static uint64_t longest; /* iterations of a window */
static int n_tries;      /* windows that did not write what was computed before them */
static uint64_t period;  /* of iterations that do different work; 0: not known */
static const char *where;

/* Iterations to be followed behind the window, which is the ordinary stretch then. */
static struct {
    size_t n, next;
    uint64_t iteration[MOST_SAMPLES];
    uint64_t uses[MOST_SAMPLES];  /* how many iterations each stands for, itself among them */
    bool is_behind[MOST_SAMPLES]; /* one of the two before it is not ordinary */
    uint64_t ordinary[2];         /* even and odd iterations that are like the ordinary stretch */
    uint64_t base, usual[2];      /* where that ends; values that an even and an odd one of it made */
    uint64_t resume;              /* the last one that is left out; 0: none is */
    double spread;
} sample;

static uint64_t made_by(uint64_t step)
{
    return created[step % WATCHED];
}

static bool same_within(double a, double b, double ratio)
{
    double difference = a > b ? a - b : b - a;
    return difference <= ratio * a;
}

static bool has_few_new(void)
{
    uint64_t new_vertices = vf_vertices_size() - last_vertices;
    return (double)new_vertices <= new_ratio * (double)made_by(n_steps);
}

static uint64_t computed_by(uint64_t step)
{
    return created[step % WATCHED] - inputs[step % WATCHED];
}

/* Over all that are left the work of an iteration must not drift away. */
static bool computes_as_many(void)
{
    return same_within((double)computed_by(n_steps), (double)computed_by(n_steps - 1),
                       drift_ratio / (double)total);
}

/* Nor may what it reads first; the first iterations read what all others have then. */
static bool makes_as_many(void)
{
    double made = (double)made_by(n_steps), read = (double)inputs[n_steps % WATCHED];
    double ratio = drift_ratio / (double)total;
    return same_within(made, (double)made_by(n_steps - 1), ratio) ||
           (computes_as_many() && read <= ratio * made);
}

static bool repeats(void)
{
    return n_steps >= 2 && has_few_new() && computes_as_many();
}

static void name_file(char *path, size_t size, const char *suffix)
{
    snprintf(path, size, "%s%s", vf_values_path(), suffix);
}

/* It cannot be done so: who asked for it asks for something else. */
_Noreturn static void give_up(void)
{
    char path[4096];
    name_file(path, sizeof path, ".steps");
    FILE *out = fopen(path, "we");
    if (!out || fputs("again\n", out) < 0 || fclose(out))
        vf_stop("cannot write '%s': %s", path, strerror(errno));
    vf_leave(0);
}

static void no_window(void)
{
    if (sample.n) give_up();
    done = true;
}

/* What every second iteration writes, where arrays change places, stands for whole numbers of others. */
static bool leaves_even(void)
{
    return (total - n_steps) % 2 == 0;
}

static void begin_window(void)
{
    vf_tally_add(-1, false);
    first_step = n_steps;
}

/* One iteration alone must have written all words: arrays that change places are written in turn. */
static bool all_written(uint64_t length)
{
    return vf_written_share(VF_WRITTEN_BEFORE) >= (length == 1 ? written_at_once_ratio : written_ratio);
}

/* Also of two iterations that make as many values arrays that change places let the second one write others
 * than the first, whatever the ones before these wrote. */
static bool wrote_as_before(void)
{
    return vf_written_share(1) >= written_at_once_ratio;
}

static uint64_t made_between(uint64_t from, uint64_t to)
{
    uint64_t sum = 0;
    for (uint64_t s = from + 1; s <= to; s++) sum += made_by(s);
    return sum;
}

static void write_steps(uint64_t last, double spread)
{
    char path[4096];
    name_file(path, sizeof path, ".steps");
    FILE *out = fopen(path, "we");
    if (!out) vf_stop("cannot write '%s': %s", path, strerror(errno));
    fprintf(out, "%llu %llu %llu %.6g %s\n", (unsigned long long)first_step, (unsigned long long)last,
            (unsigned long long)total, spread, where);
    if (fclose(out)) vf_stop("cannot write '%s': %s", path, strerror(errno));
}

static void end_here(uint64_t last, double spread)
{
    write_steps(last, spread);
    vf_tracing = false;
    vf_tally_finish();
    vf_dump(vf_values_path(), NULL);
    vf_leave(0);
}

/* ---- a sample ---- */

/* How many iterations this one stands for; 0 where it is none of the sample. */
static double uses_of(uint64_t step)
{
    for (size_t i = 0; i < sample.n; i++)
        if (sample.iteration[i] == step) return (double)sample.uses[i];
    return 0;
}

/* What this iteration has made comes in as often as it stands for others, and what the next one will make. */
static void cut(double times, bool is_base)
{
    times += uses_of(n_steps) - uses_of(n_steps + 1);
    if (times != 0 || is_base) vf_tally_add(times, is_base);
}

/* An even number of iterations, for arrays that change places. One before the next that is looked at is
 * followed: what registers carry from one to the next comes of it. So are two more, where they did other
 * work: arrays that change places hold what they left. */
static void leave_out(void)
{
    uint64_t between = sample.iteration[sample.next] - 1 - n_steps,
             ahead = sample.is_behind[sample.next] ? 3 : 1;
    if (between < ahead + 2) return;
    sample.resume = n_steps + (between - ahead) / 2 * 2;
    vf_skipping = vf_region_depth() > 0;
    vf_tracing = false;
}

static void go_on(void)
{
    sample.resume = 0;
    vf_skipping = false;
    vf_tracing = vf_region_depth() > 0 && !vf_asked_to_end;
}

/* Ordinary iterations behind one with which the stretch ends: all, or those that are even where it is, or
 * odd. */
static double ordinary_left(uint64_t end, bool all)
{
    uint64_t even = end / 2 - 1, odd = (end + 1) / 2 - 1; /* from the third on */
    double left[2] = {(double)(sample.ordinary[0] - even), (double)(sample.ordinary[1] - odd)};
    return all ? left[0] + left[1] : left[end % 2];
}

/* The ordinary stretch is found. */
static void begin_sample(double spread)
{
    sample.base = n_steps;
    sample.spread = spread;
    sample.usual[n_steps % 2] = made_by(n_steps);
    sample.usual[(n_steps + 1) % 2] = made_by(n_steps - first_step > 1 ? n_steps - 1 : n_steps);
    bool is_one = n_steps - first_step == 1;
    if (is_one) vf_tally_multiply(ordinary_left(n_steps, true));
    cut(ordinary_left(n_steps, is_one), true);
    leave_out();
}

static bool repeats_usual(void)
{
    double new_vertices = (double)(vf_vertices_size() - last_vertices), made = (double)made_by(n_steps);
    return new_vertices <= new_ratio * made &&
           same_within((double)sample.usual[n_steps % 2], made, new_ratio);
}

static void look_at_sample(void)
{
    bool is_sampled = n_steps == sample.iteration[sample.next];
    bool must_repeat = !is_sampled && !sample.is_behind[sample.next];
    if (must_repeat && !repeats_usual()) give_up();
    cut(0, false);
    if (is_sampled && ++sample.next == sample.n) end_here(sample.base, sample.spread);
    if (is_sampled) leave_out();
}

/* ---- the window ---- */

static void stop_here(double spread)
{
    if (sample.n) {
        begin_sample(spread);
        return;
    }
    vf_tally_add(1, true);
    vf_tally_multiply((double)(total - n_steps) / (double)(n_steps - first_step));
    end_here(n_steps, spread);
}

static double ratio_of(double a, double b)
{
    double difference = a > b ? a - b : b - a;
    return a > 0 ? difference / a : 0;
}

/* Where the last iteration is like the one before it. */
static bool stops_at_one(void)
{
    if (!makes_as_many()) return false;
    stop_here(ratio_of((double)computed_by(n_steps - 1), (double)computed_by(n_steps)));
    return true;
}

/* The first of two ordinary iterations: even ones stand for even ones, odd ones for odd ones. */
static void begin_pair(void)
{
    double first = ordinary_left(n_steps + 1, true) - ordinary_left(n_steps + 1, false);
    vf_tally_multiply(first);
    vf_tally_add(first - ordinary_left(n_steps + 1, false), false);
}

/* One iteration like the one before it, where there are few. */
static void look_at_one(void)
{
    if (!(longest <= 2 && all_written(1) && stops_at_one()) && sample.n) begin_pair();
}

/* Two iterations from the one before would leave an odd number. */
static void begin_anew(void)
{
    vf_tally_multiply(0);
    vf_written_note();
    begin_window();
}

/* It repeats, but not all was written that was computed before it: names of temporaries may have changed
 * until it began. From here on only what it wrote itself is asked for. */
static void lacks_words(void)
{
    if (sample.n || ++n_tries > MOST_TRIES) {
        no_window();
        return;
    }
    vf_written_note();
    begin_anew();
}

/* The window is even, for arrays that change places, and long where iterations are many. */
static void look_at_window(void)
{
    uint64_t length = n_steps - first_step, half = length / 2;
    if (length == 1) look_at_one();
    if (length == 1 && !sample.n && longest <= 2 && leaves_even()) begin_anew();
    if (length % 2) return;
    double first = (double)made_between(first_step, first_step + half);
    double second = (double)made_between(first_step + half, n_steps);
    bool even = same_within(first, second, drift_ratio * (double)half / (double)total);
    if (sample.n && !even) no_window();
    if (even && length >= longest) {
        if (all_written(length))
            stop_here(ratio_of(first, second));
        else
            lacks_words();
    } else if (length >= PATIENCE) {
        no_window();
    }
}

/* One iteration that is like the one before it and wrote what that computed is window and proof at once, if
 * counts were noted between them. What only the first one computed are names that temporaries had there. */
static void look_at_tried(void)
{
    first_step = tried;
    tried = 0;
    if (has_few_new() && wrote_as_before() && stops_at_one()) return;
    first_step = 0;
    vf_tally_multiply(0);
}

/* Once, as soon as there are two iterations before it. */
static void try_here(void)
{
    if (longest > 2 || sample.n || n_steps != VF_WRITTEN_BEFORE) return;
    vf_tally_add(-1, false);
    tried = n_steps;
}

/* A window of whole periods, from where whole periods are left. */
static void look_at_period(void)
{
    if (!first_step && n_steps >= 2 && (total - n_steps) % period == 0 && has_few_new()) {
        begin_window();
    } else if (first_step && n_steps - first_step == period) {
        if (all_written(period)) stop_here(0);
        lacks_words();
    }
}

void vf_window_step(const char *site)
{
    where = site;
    n_steps++;
    vf_again_step();
    created[n_steps % WATCHED] = vf_values_created() - last_created;
    inputs[n_steps % WATCHED] = vf_n_inputs - last_inputs;
    if (tried) look_at_tried();
    if (!first_step) vf_written_note();
    if (sample.resume) {
        if (n_steps == sample.resume) go_on();
    } else if (sample.base) {
        look_at_sample();
    } else if ((!first_step && 2 * n_steps >= total) || (sample.n && n_steps >= sample.iteration[0])) {
        no_window(); /* not worth it any more */
    } else if (period) {
        look_at_period();
    } else if (first_step) {
        look_at_window();
    } else if (repeats()) {
        if (longest <= 2 || leaves_even()) begin_window();
    } else {
        try_here();
    }
    last_created = vf_values_created();
    last_inputs = vf_n_inputs;
    last_vertices = vf_vertices_size();
}

void vf_window_begin(void)
{
    if (done || vf_written_is_noted()) return;
    vf_written_note();
    last_created = vf_values_created();
    last_inputs = vf_n_inputs;
    last_vertices = vf_vertices_size();
}

bool vf_window_is_done(void)
{
    return done;
}

void vf_window_ended(void)
{
    if (sample.base) give_up();
}

bool vf_window_skips(void)
{
    return sample.resume != 0;
}

/* ---- beginning ---- */

/* "EVEN:ODD:I=USES,I=USES;I=USES". False where it is something else. */
static bool read_sample(const char *text)
{
    char *end;
    sample.ordinary[0] = strtoull(text, &end, 10);
    if (*end++ != ':') return false;
    sample.ordinary[1] = strtoull(end, &end, 10);
    while (*end == ':' || *end == ',' || *end == ';') {
        if (sample.n == MOST_SAMPLES) return false;
        sample.is_behind[sample.n] = *end == ';';
        sample.iteration[sample.n] = strtoull(end + 1, &end, 10);
        if (*end++ != '=') return false;
        sample.uses[sample.n++] = strtoull(end, &end, 10);
    }
    return sample.n && !*end;
}

void vf_window_open(uint64_t n, const char *how)
{
    total = n;
    bool is_sample = *how && strchr(how + 1, ':');
    period = *how && !is_sample ? strtoull(how + 1, NULL, 10) : 0;
    longest = total / PER_WINDOW > LONGEST ? LONGEST : total / PER_WINDOW / 2 * 2;
    if (longest < 2 || is_sample) longest = 2;
    done = total == 0 || (is_sample && !read_sample(how + 1));
    if (done) sample.n = 0;
}
