/**
 * Which receive takes which message: the first that fits, in the order of posting and of arrival.
 *
 * Both sides are FIFOs found by hashing (destination, communicator, source, tag), so a match takes O(1)
 * however many wait. A receive for any source or any tag waits in a FIFO of its own pattern; an arrival
 * compares the heads of the patterns that fit it and takes the oldest. There are four: source and tag;
 * source; tag; neither. Once a receive of a pattern was posted, every waiting message is linked in a list of
 * that pattern too, so that the oldest that fits is the head of a list.
 *
 *     table: key -> head, tail      of posted receives or of waiting messages, never of both:
 *                                   they would have matched
 *
 * What receives and messages are is the owner's business: here they are 32-bit payloads.
 */
#ifndef PARCAST_NETWORK_MATCH_H
#define PARCAST_NETWORK_MATCH_H

#include "core/pool.h"

#define MATCH_NONE UINT32_MAX
enum { MATCH_ANY = -1, MATCH_PATTERNS = 4 };

struct match_key {
    uint32_t destination, communicator;
    int32_t source, tag; /**< MATCH_ANY only in receives */
};

struct match_list;
struct match_links;

struct matcher {
    struct match_list *table;
    uint32_t n_lists, mask; /**< mask + 1 places, a power of two */
    struct pool nodes;
    struct match_links *links; /**< [nodes.n_records] once wildcards are in use, else NULL */
    uint32_t n_links;
    uint64_t n_arrived;
    uint32_t n_wild;   /**< posted receives with a wildcard */
    unsigned patterns; /**< bit p: receives of pattern p, with a wildcard, have been posted or probed for */
    bool failed;       /**< memory was short: what was posted since is lost, the run must end */
};

bool match_create(struct matcher *matcher);
void match_destroy(struct matcher *matcher);

/** Post a receive. Returns the first waiting message that fits, which is then gone, or MATCH_NONE: the
 * receive waits. */
uint32_t match_post(struct matcher *matcher, struct match_key key, uint32_t receive);
/** A message arrives. Returns the first posted receive that fits, or MATCH_NONE: the message waits. */
uint32_t match_arrive(struct matcher *matcher, struct match_key key, uint32_t message);
/** Take back the posted receive with this key that `is` knows. Returns it, or MATCH_NONE: it has a message,
 * or was never posted. Cost: O(receives posted with this key). */
uint32_t match_withdraw(struct matcher *matcher, struct match_key key,
                        bool (*is)(const void *state, uint32_t receive), const void *state);
/** The message that match_post would return; it stays. */
uint32_t match_probe(struct matcher *matcher, struct match_key key);
/** The message that has waited longest, MATCH_NONE if none waits; *n_waiting says how many do. */
uint32_t match_first_waiting(const struct matcher *matcher, uint32_t *n_waiting);

/** A receive or a message with this key is about to come: fetch what it will be looked for in. */
void match_foresee(const struct matcher *matcher, struct match_key key);
/** What it will probably meet, MATCH_NONE: nothing, or not known. Nothing changes. */
uint32_t match_expected(const struct matcher *matcher, struct match_key key);

#endif
