/* Why a step has failed, where the compiler that said so cannot know it. */
#ifndef PARCAST_COMPILER_CAUSE_H
#define PARCAST_COMPILER_CAUSE_H

#include "compiler/tools.h"

/** The disk of what lies between the steps is full. PARCAST_OK if it is not. */
parcast_status cause_full_disk(const struct tools *tools, parcast_error *error);

/**
 * A source of C or C++ includes OpenMP's header, which is not there.
 *
 * @param[in] front the front end's command; options are added to it
 * @return PARCAST_NOT_FOUND; PARCAST_OK if that is not why
 *
 * Cost: the source is preprocessed once more.
 */
parcast_status cause_no_openmp(const struct tools *tools, struct words *front, const char *source,
                               parcast_error *error);

#endif
