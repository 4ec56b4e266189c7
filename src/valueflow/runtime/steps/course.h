/*
 * Counts at the cuts of a run (tally.h), kept as numbers of courses: what they were at the base, and what is
 * to be added for what was not followed. Most words are counted like many others, so there are few courses.
 */
#ifndef PARCAST_VALUEFLOW_COURSE_H
#define PARCAST_VALUEFLOW_COURSE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct vf_course {
    double more; /* times counts */
    double base;
};

#define VF_NO_COURSE 0u /* nothing has been counted */

/** What is added from here on counts so many times, and in the base or not. */
void vf_courses_cut(double times, bool is_base);
uint32_t vf_course_find(uint32_t course, uint32_t n);

/** What was asked in this cut: words that lie beside each other mostly ask the same. */
enum { VF_RECENT_COURSES = 1024 }; /* a power of two */
extern struct vf_recent_course {
    uint32_t from, n, to;
} vf_recent_courses[VF_RECENT_COURSES];

static inline struct vf_recent_course *vf_course_recent(uint32_t course, uint32_t n)
{
    return &vf_recent_courses[(course * 0x9e3779b1u ^ n * 0x85ebca6bu) >> 16 & (VF_RECENT_COURSES - 1)];
}

/** The course of what went along `course` until this cut and is n more in it. */
static inline uint32_t vf_course_add(uint32_t course, uint32_t n)
{
    const struct vf_recent_course *recent = vf_course_recent(course, n);
    return recent->n == n && recent->from == course ? recent->to : vf_course_find(course, n);
}

/** What was added until now, so many times, in all courses. */
void vf_courses_multiply(double times);
extern struct vf_course *vf_courses;

static inline struct vf_course vf_course_of(uint32_t course)
{
    return vf_courses ? vf_courses[course] : (struct vf_course){0};
}

#pragma GCC visibility pop

#endif
