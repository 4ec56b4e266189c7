#include "valueflow/runtime/steps/again.h"

#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/tables/vector.h"

enum {
    MANY = 8, /* one of so many words was computed again */
    FEW = 64,
    FINE = 1 << 18, /* so many more vertices than there are words are no burden */
};

uint32_t vf_computed_again, vf_n_results;
struct vf_repeat *vf_repeats;
struct vf_latest *vf_latest;
static size_t capacity, latest_capacity;
static uint32_t n_repeats = 1, n_again;

void vf_again_reach(uint32_t n_vertices)
{
    vf_latest = vf_grow_scattered(vf_latest, &latest_capacity, sizeof *vf_latest, n_vertices);
}

static struct vf_repeat *repeat_of(uint32_t vertex)
{
    return &vf_repeats[vf_latest[vertex].when & ~VF_REPEATED];
}

static struct vf_repeat *add_repeat(uint32_t vertex)
{
    vf_repeats = vf_grow(vf_repeats, &capacity, sizeof *vf_repeats, n_repeats);
    vf_latest[vertex].when = n_repeats | VF_REPEATED;
    return &vf_repeats[n_repeats++];
}

void vf_is_again(uint32_t vertex, uint32_t first, uint32_t number)
{
    if (!(vf_latest[vertex].when & VF_REPEATED)) {
        *add_repeat(vertex) = (struct vf_repeat){.first = first, .number = number};
        n_again++;
    }
    repeat_of(vertex)->since = vf_computed_again;
}

static uint32_t n_words(void)
{
    return vf_vertices_size() - vf_n_results;
}

void vf_again_step(void)
{
    vf_computed_again += n_words() + 1;
}

static bool may_be_more(void)
{
    return n_again < n_words() + FINE;
}

/* Another step begins between two times, not among those that follow each other closely, as long as these end
 * at all. */
static bool is_new_step(const struct vf_repeat *repeat)
{
    uint32_t since = vf_computed_again - repeat->since, n = n_words();
    return since > n / MANY && (vf_computed_again - repeat->last > n / FEW || since > n);
}

/* The second time, unless the first was in another step. */
static uint32_t begin_repeat(uint32_t first)
{
    uint32_t *when = &vf_latest[first].when, since = (vf_computed_again - *when) & ~VF_REPEATED;
    if (since > n_words() / MANY) {
        *when = vf_computed_again & ~VF_REPEATED;
        return 0;
    }
    struct vf_repeat *repeat = add_repeat(first);
    *repeat =
        (struct vf_repeat){.first = first, .since = vf_computed_again - since, .last = vf_computed_again};
    if (may_be_more()) repeat->times = repeat->most = 1;
    return repeat->times;
}

/* It follows what it followed in the last step, and has not been computed since. */
static bool is_as_before(uint32_t expected)
{
    return expected && vf_latest[expected].when & VF_REPEATED &&
           vf_computed_again - repeat_of(expected)->since > n_words() / MANY;
}

static uint32_t begin_times(struct vf_repeat *repeat)
{
    repeat->since = vf_computed_again;
    return 0;
}

static uint32_t one_more(const struct vf_repeat *repeat)
{
    return repeat->times + (repeat->times < repeat->most || may_be_more());
}

uint32_t vf_times_slow(uint32_t first, uint32_t expected, uint32_t stamp)
{
    struct vf_latest *latest = &vf_latest[first];
    if (!(latest->when & VF_REPEATED)) return begin_repeat(first);
    struct vf_repeat *repeat = repeat_of(first);
    if (latest->stamp != stamp)
        repeat->times = begin_times(repeat);
    else if (is_as_before(expected))
        repeat->times = expected == first ? begin_times(repeat) : repeat_of(expected)->number;
    else
        repeat->times = is_new_step(repeat) ? begin_times(repeat) : one_more(repeat);
    latest->stamp = stamp;
    repeat->last = vf_computed_again;
    if (repeat->times > repeat->most) repeat->most = repeat->times;
    return repeat->times;
}
