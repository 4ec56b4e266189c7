#ifndef PARCAST_VALUEFLOW_OBJECT_KIND_H
#define PARCAST_VALUEFLOW_OBJECT_KIND_H

/* "bytes" of a result that is a value of a workspace on the stack. */
#define VF_OF_FRAME 1u
/* "bytes" of what is computed of a few whole sums. */
#define VF_OF_SUMS 2u

enum vf_object_kind { VF_GLOBAL = 1, VF_HEAP, VF_FRAME, VF_RESULT, VF_UNKNOWN };

/** Names of results that are terms of sums, of more labels than these keep apart (result.h), and of short
 * sums that are added to words (shared.h). */
#define VF_TERM_NAME      "a term of a sum"
#define VF_SHORT_SUM_NAME "a short sum"

#endif
