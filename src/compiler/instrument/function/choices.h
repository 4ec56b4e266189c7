/* Choices that take the labels of their condition though their alternatives have labels. */
#ifndef PARCAST_INSTRUMENT_CHOICES_H
#define PARCAST_INSTRUMENT_CHOICES_H

#include "compiler/instrument/function/flow.h"

enum { MOST_LEAVES = 32 };

/** Nodes: loads, arguments, calls, other choices, and stores that stand for a value that is in a word. */
struct leaves {
    int n, node[MOST_LEAVES];
    bool overflow;
};

/** What a value at a place is computed from. */
void leaves_of(const struct function *f, const struct use *use, struct leaves *leaves);
/** Is this what a loop goes on with, which is where it was if there is no turn? Then whether there is one
 * decides nothing. */
bool choices_go_on(const struct function *f, const struct node *node, const struct use *uses, int n);
/** After what carries a label is known: sets condition and alike. */
void choices_take_conditions(struct function *f);
/** After it is known what are sums: conditions that are not known where the choice is go. */
void choices_drop_conditions(struct function *f);

#endif
