/*
 * What is divided where its extents are looked for: the words of an array, or its structures, in a line.
 */
#ifndef PARCAST_VALUEFLOW_LINE_H
#define PARCAST_VALUEFLOW_LINE_H

#include "valueflow/graph/once.h"

/** An array up to its images, in words of structures. */
struct line {
    const parcast_values *values;
    uint64_t words, whole; /* before the images, and with them */
    uint32_t record;
    uint64_t block; /* allocated together; 0: all */
    bool are_told;  /* distances between words tell how many fields lie together: that is no guess */
};

/** An array up to its images. */
struct line line_of(const parcast_values *values, uint32_t array);
/** Extents of lines of so many words, `per` to a structure; NULL where memory is missing. Valid until the
 * next one is asked for. */
struct once_extents *line_find(const struct line *line, uint32_t per, uint32_t record);
/** How often the rarest of their distances is seen in n dimensions, also where words meet in results only; 0:
 * there are none. */
uint32_t line_look_up(const struct line *line, uint32_t per, uint32_t record, size_t n,
                      parcast_extents *extents);
/** Of so many words the longest line whose extents are looked for: vertices have 31 bits. */
#define LINE_MOST_WORDS (UINT64_C(1) << 32)
/** Extents in n dimensions where the types tell no structures: of words, or of fields that lie together and
 * mix. */
bool line_infer_words(const struct line *line, size_t n, parcast_extents *extents);
/** Of three dimensions: a few words are no row, but part of the fields of a cell, where those show in a
 * dimension more. */
void line_join_fields(const struct line *line, parcast_extents *extents);

#endif
