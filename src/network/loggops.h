/**
 * The LogGOPS network: hosts with CPUs and network interfaces, messages that cost their ends something and
 * never meet on the way.
 *
 * L latency, o CPU time per message, O CPU time per byte, g gap between messages, G gap per byte, S largest
 * eager message. The rules and their sources are in docs/models/network.md, section "LogGOPS".
 *
 * An operation that finds its CPU or interface busy waits in a queue of its host, ordered by sequence; a host
 * has at most one wake event that counts, keyed by the earliest date at which a waiter may go and that
 * waiter's sequence. Free dates never decrease, so waiters are served in exactly the order in which they
 * would be when each were put back into the heap until its resource is free, at the price of one event
 * instead of one for every other waiter. A wake that an earlier one has replaced stays where it is and is
 * passed over.
 */
#ifndef PARCAST_NETWORK_LOGGOPS_H
#define PARCAST_NETWORK_LOGGOPS_H

#include "network/kernel.h"
#include "network/match.h"
#include "parcast/error.h"
#include "parcast/operation.h"

struct loggops_parameters {
    int64_t L_ps, o_ps, g_ps;
    double G_ps_per_byte, O_ps_per_byte;
    int64_t S_bytes;
    bool compat; /**< as LogGOPSim: a message of no bytes costs o - O and g - G; an operation is dated by
                      its own CPU alone, even if what it requires has ended later on another */
    bool receive_by_nic; /**< the interface takes the data, then the CPU handles it; otherwise the CPU is busy
                              while the data comes in */
    bool handshake;      /**< a sender hears of the match 2 L + 2 o later */
};

enum loggops_kind { LOGGOPS_SEND, LOGGOPS_RECEIVE, LOGGOPS_COMPUTE };

struct loggops_operation {
    enum loggops_kind kind;
    uint8_t cpu, nic;
    uint32_t host;
    int32_t peer; /**< destination or source; MATCH_ANY in receives */
    int32_t tag;  /**< MATCH_ANY in receives */
    uint32_t communicator;
    int64_t amount; /**< bytes, or ps of a computation, at most KERNEL_LATEST_PS */
    uint32_t user;  /**< the client's name for it */
    parcast_send_mode mode;
    bool sleeps; /**< a computation in which nothing is computed */
};

/** A message that has been received, or that nobody has received. */
struct loggops_message {
    uint32_t source, destination, communicator;
    int32_t tag;
    int64_t bytes;
    int64_t sent_ps; /**< when its sender's CPU turned to it */
};

/**
 * What the engine tells. An operation starts once and is done once, perhaps in the same event. Operations
 * that become ready by it are issued in `settle`, which comes when the event is over.
 */
struct loggops_client {
    void *state;
    void (*started)(void *state, uint32_t user, int64_t date_ps);
    void (*done)(void *state, uint32_t user, int64_t date_ps);
    void (*settle)(void *state);
    /** A receive takes a message, before its `done`; NULL: the client does not want to know. */
    void (*received)(void *state, const struct loggops_message *message, int64_t date_ps);
    /** A message is there that the host has no receive for. NULL: nobody wants to know. */
    void (*arrived)(void *state, uint32_t host);
    /** An operation of the host is about to start or end: what of it is far away in memory may be fetched.
     * Stages 0, 1, 2 come some events apart. A hint: nothing may change by it, and it may be wrong. NULL:
     * nobody wants to know. */
    void (*foresee)(void *state, uint32_t host, uint32_t user, unsigned stage);
};

struct chain_layout;
struct loggops_chains;

/** Of events that come next, by their place in the agenda's near list: the item that the client will hear of.
 */
enum { LOGGOPS_AHEAD = 32 };
struct loggops_ahead {
    uint32_t items[LOGGOPS_AHEAD];
    uint32_t n_refills; /**< of the agenda, when last looked at */
};

struct loggops {
    struct loggops_parameters parameters;
    struct loggops_client client;
    struct kernel kernel;
    struct matcher matcher;
    struct pool items; /* operations and messages */
    uint32_t n_hosts, n_cpus, n_nics;
    uint32_t n_dates, n_queues; /* of a host */
    int64_t *hosts;             /* [n_hosts] records of host_words, see loggops_internal.h */
    size_t host_words;
    uint32_t most_in_flight;
    uint64_t n_events, n_messages;
    struct loggops_ahead ahead;
    struct loggops_chains *chains; /* NULL: nobody wants to know */
    bool failed;                   /* memory was short */
    bool exhausted;                /* a date is beyond the clock */
};

/**
 * @param[in] n_cpus, n_nics  of every host, at most 256
 * @return PARCAST_OK, PARCAST_LIMIT (too many hosts), PARCAST_MEMORY
 */
parcast_status loggops_create(struct loggops *engine, const struct loggops_parameters *parameters,
                              uint32_t n_hosts, uint32_t n_cpus, uint32_t n_nics,
                              const struct loggops_client *client, parcast_error *error);
void loggops_destroy(struct loggops *engine);

/** An operation is ready: it gets its sequence number and its date, not before release_ps. */
void loggops_issue(struct loggops *engine, const struct loggops_operation *operation, int64_t release_ps);

/** Take back a receive that has no message yet. False: it has one. */
bool loggops_withdraw(struct loggops *engine, struct match_key key, uint32_t user);
/** Is a message there that a receive with this key would take? */
bool loggops_probe(struct loggops *engine, struct match_key key);

/** Handle events until there are none. PARCAST_OK, PARCAST_MEMORY, PARCAST_LIMIT (the clock has run out). */
parcast_status loggops_run(struct loggops *engine, parcast_error *error);

/** When the host's last CPU is free. */
int64_t loggops_end(const struct loggops *engine, uint32_t host);
/** How long its CPUs were idle before the message that ended it was on its way, or before the receive that
 * its sender waited for was there. */
int64_t loggops_waiting(const struct loggops *engine, uint32_t host);

/**
 * Keep what dates consist of, from now on; before the first operation, not with `compat`. False when memory
 * is short.
 *
 * Cost: 8 bytes x parts per host, resource and item; about 30 ns per event.
 */
bool loggops_follow(struct loggops *engine, const struct chain_layout *layout);
/** What loggops_end, or kernel.now_ps, consists of. */
const int64_t *loggops_end_chain(const struct loggops *engine, uint32_t host);
const int64_t *loggops_now_chain(const struct loggops *engine);

/** Messages that nobody has received; *first is the one that came first, untouched when there is none. */
uint32_t loggops_unreceived(const struct loggops *engine, struct loggops_message *first);

#endif
