/* What a member adds to its sum, as terms. */
#ifndef PARCAST_INSTRUMENT_PIECES_H
#define PARCAST_INSTRUMENT_PIECES_H

#include "compiler/instrument/emit/labels.h"
#include "compiler/instrument/function/leaves.h"

enum { MOST_PIECES = 16 };

/** Each piece with its own labels: x * y + z * w is two terms of a sum, and the largest of three numbers as
 * many of a largest. */
struct pieces {
    struct keys keys[MOST_PIECES];
    bool is_power[MOST_PIECES]; /* one of one value is more than a multiple of it */
    int n, sum, flop;           /* n above MOST_PIECES: too many */
    bool has_powers;
};

/** May what member i adds be several terms? */
bool pieces_may_be(const struct function *f, int i);
/** Find them; `pieces` is zero. False where they are too many, or what one of them is compared with is no
 * term.
 */
bool pieces_find(struct function *f, int i, struct pieces *pieces);

#endif
