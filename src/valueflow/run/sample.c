#include "valueflow/run/sample.h"

#include <stdio.h>

#include "valueflow/run/period.h"

enum {
    BEGINNING = 2,      /* iterations that may do anything */
    ORDINARY_FIRST = 5, /* the third to this one must be ordinary: among them the ordinary stretch */
    MOST_ITERATIONS = 1 << 22,
};

/* What was counted, and what follows from its period. From 0. */
struct course {
    const uint64_t *work;
    uint64_t n, period;
};

static uint64_t work_of(const struct course *c, uint64_t i)
{
    if (i < c->n) return c->work[i];
    uint64_t from = c->n - 1 - c->period;
    return c->work[from + (i - from) % c->period];
}

/* The last iteration may leave the loop before it is seen to end: another one stands for it, which may be
 * even where it is odd. */
static bool is_same_class(const struct course *c, uint64_t a, uint64_t b, bool is_last)
{
    return (a % 2 == b % 2 || is_last) && work_of(c, a) == work_of(c, b) &&
           work_of(c, a - 1) == work_of(c, b - 1) && work_of(c, a - 2) == work_of(c, b - 2);
}

/* Nobody asks what the beginning did. */
static bool is_usual(const struct course *c, uint64_t i)
{
    return i < BEGINNING || work_of(c, i) == c->work[BEGINNING];
}

/* False where there are too many classes. */
static bool use(struct sample *s, const struct course *c, uint64_t i, bool is_last)
{
    for (size_t k = 0; k < s->n; k++) {
        if (!is_same_class(c, s->of[k].iteration - 1, i, is_last)) continue;
        s->of[k].uses++;
        return true;
    }
    if (s->n == MOST_SAMPLES || is_last) return false;
    s->of[s->n++] = (struct sampled){i + 1, 1, !is_usual(c, i - 1) || !is_usual(c, i - 2)};
    return true;
}

/* As the run time does (runtime/window.c): one iteration is followed before one that is looked at, three
 * where these do other work, and an even number left out. */
uint64_t sample_followed(const struct sample *sample, uint64_t base)
{
    uint64_t at = base, followed = base;
    for (size_t i = 0; i < sample->n; i++) {
        uint64_t between = sample->of[i].iteration - 1 - at, ahead = sample->of[i].is_behind ? 3 : 1;
        followed += 1 + between - (between > ahead ? (between - ahead) / 2 * 2 : 0);
        at = sample->of[i].iteration;
    }
    return followed;
}

struct sample sample_choose(const uint64_t *work, size_t n, uint64_t total)
{
    struct sample s = {0}, none = {0};
    struct course c = {work, n, period_find(work, n, BEGINNING)};
    if (n < total && !c.period) return none;
    if (n <= ORDINARY_FIRST || total > MOST_ITERATIONS) return none;
    for (uint64_t i = BEGINNING; i < total; i++) {
        bool is_ordinary = is_usual(&c, i) && is_usual(&c, i - 1) && is_usual(&c, i - 2);
        if (!is_ordinary && (i < ORDINARY_FIRST || !use(&s, &c, i, i + 1 == total))) return none;
        if (is_ordinary) s.ordinary[(i + 1) % 2]++;
    }
    return s.n ? s : none;
}

void sample_write(const struct sample *sample, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%llu:%llu", (unsigned long long)sample->ordinary[0],
                                   (unsigned long long)sample->ordinary[1]);
    for (size_t i = 0; i < sample->n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%c%llu=%llu",
                                 i == 0                    ? ':'
                                 : sample->of[i].is_behind ? ';'
                                                           : ',',
                                 (unsigned long long)sample->of[i].iteration,
                                 (unsigned long long)sample->of[i].uses);
}
