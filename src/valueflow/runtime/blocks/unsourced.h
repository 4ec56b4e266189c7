/*
 * Values that come of nothing: what choices took from constants, below a threshold say. In an array of the
 * program such a value is its word's all the same; in a workspace who reads it computes it.
 */
#ifndef PARCAST_VALUEFLOW_UNSOURCED_H
#define PARCAST_VALUEFLOW_UNSOURCED_H

#pragma GCC visibility push(hidden)

/** Once all values are finished. Sources tell nothing of an undecided array whose words come of none: it is a
 * workspace, too, where values of one word went to eight groups of readers, again and again, that have nobody
 * in common. What comes of nothing in a workspace is read by nobody then, also what was made before that was
 * seen. Cost: linear in nets. */
void vf_unsourced_settle(void);

#pragma GCC visibility pop

#endif
