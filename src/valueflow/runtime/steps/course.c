#include "valueflow/runtime/steps/course.h"

#include <stddef.h>
#include <string.h>

#include "valueflow/runtime/tables/hash.h"
#include "valueflow/runtime/tables/vector.h"

struct vf_course *vf_courses;
struct vf_recent_course vf_recent_courses[VF_RECENT_COURSES];
static size_t capacity;
static uint32_t n_courses = VF_NO_COURSE + 1;
static struct vf_index numbers = VF_INDEX; /* by what a course is */
static double times;
static bool is_base;

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool is_same(const struct vf_course *a, const struct vf_course *b)
{
    return bits_of(a->more) == bits_of(b->more) && bits_of(a->base) == bits_of(b->base);
}

static bool is_course(uint32_t number, const void *key)
{
    return is_same(&vf_courses[number], key);
}

static uint32_t number_of(struct vf_course wanted)
{
    uint64_t hash = vf_hash_of(bits_of(wanted.more) ^ vf_hash_of(bits_of(wanted.base)));
    vf_courses = vf_grow(vf_courses, &capacity, sizeof *vf_courses, n_courses);
    if (is_same(&wanted, &vf_courses[VF_NO_COURSE])) return VF_NO_COURSE;
    uint32_t *at = vf_index_at(&numbers, hash, is_course, &wanted);
    if (!*at) {
        vf_courses[n_courses] = wanted;
        *at = n_courses++;
    }
    return *at;
}

void vf_courses_cut(double of, bool in_base)
{
    times = of;
    is_base = in_base;
    memset(vf_recent_courses, 0, sizeof vf_recent_courses);
}

uint32_t vf_course_find(uint32_t course, uint32_t n)
{
    if (!n) return course;
    struct vf_course after = vf_course_of(course);
    after.more += times * n;
    if (is_base) after.base += n;
    uint32_t to = number_of(after);
    *vf_course_recent(course, n) = (struct vf_recent_course){course, n, to};
    return to;
}

/* Courses may become alike, or nothing: they keep their numbers, and only new ones are looked up. */
void vf_courses_multiply(double by)
{
    for (uint32_t i = VF_NO_COURSE + 1; i < n_courses; i++) vf_courses[i].more *= by;
    if (numbers.hash.entries)
        memset(numbers.hash.entries, 0, 2 * sizeof *numbers.hash.entries * numbers.hash.capacity);
    numbers.hash.n = 0;
    memset(vf_recent_courses, 0, sizeof vf_recent_courses);
}
