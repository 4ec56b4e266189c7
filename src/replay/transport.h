/**
 * What ranks stand on: something that computes and carries messages. Two of them, the flow model and LogGOPS.
 *
 * An activity is begun with a token; `done` is told with it once. A sender that may go on before its send is
 * done is told so with `proceed` unless transport_send has returned true. `settle` comes when an event is
 * over.
 */
#ifndef PARCAST_REPLAY_TRANSPORT_H
#define PARCAST_REPLAY_TRANSPORT_H

#include "network/chain.h"
#include "network/fabric.h"
#include "network/loggops.h"
#include "parcast/replay.h"

#define NO_CAUSE INT64_MIN

/** A message as its receiver has it now. */
struct transport_message {
    uint32_t source, destination; /**< ranks of all */
    uint32_t context;
    int32_t tag;
    int64_t bytes;
    int64_t sent_ps, received_ps;
};

struct transport_client {
    void *state;
    void (*proceed)(void *state, uint32_t token);
    /** cause_ps: when that began which has ended now: the message set off, the computation began; NO_CAUSE
     * where the transport itself counts how long ranks wait. */
    void (*done)(void *state, uint32_t token, int64_t cause_ps);
    void (*settle)(void *state);
    /** A receive has its message; NULL: the client does not want to know. */
    void (*received)(void *state, const struct transport_message *message);
    /** A message is larger than its receive. */
    void (*truncated)(void *state, uint32_t token, int64_t bytes, int64_t room);
    /** A message is there that the rank has no receive for. */
    void (*arrived)(void *state, uint32_t rank);
};

struct transport;

struct transport_methods {
    void (*compute)(struct transport *transport, uint32_t rank, double core_s, uint32_t token);
    void (*sleep)(struct transport *transport, uint32_t rank, double seconds, uint32_t token);
    bool (*send)(struct transport *transport, struct match_key key, int64_t bytes, parcast_send_mode mode,
                 uint32_t token);
    /** room: bytes that fit, -1 any number. */
    void (*receive)(struct transport *transport, struct match_key key, int64_t room, uint32_t token);
    /** Take a receive back that has no message yet; `done` is not told. False: it has one. */
    bool (*withdraw)(struct transport *transport, struct match_key key, uint32_t token);
    /** Is a message there that this receive would take? */
    bool (*probe)(struct transport *transport, struct match_key key);
    parcast_status (*run)(struct transport *transport, parcast_error *error);
    /** The rank's own time. */
    int64_t (*now)(const struct transport *transport, uint32_t rank);
    /** Messages that nobody has received; *first is one of them. */
    uint32_t (*unreceived)(const struct transport *transport, struct match_key *first, int64_t *bytes);
    void (*count)(const struct transport *transport, parcast_replay_result *result);
    /** How long a rank has waited so far, where `done` does not say; NULL: it does. */
    int64_t (*waiting)(const struct transport *transport, uint32_t rank);
    /** What the rank's time consists of; only with a chain layout. */
    const int64_t *(*chain)(const struct transport *transport, uint32_t rank);
    void (*destroy)(struct transport **transport);
};

struct transport {
    const struct transport_methods *methods;
    struct transport_client client;
};

/** rank_node must outlive it; chains: NULL, nobody wants to know what dates consist of. */
parcast_status transport_flow(struct transport **transport, const parcast_platform *platform,
                              const int *rank_node, uint32_t n_ranks, const struct chain_layout *chains,
                              const parcast_replay_options *options, const struct transport_client *client,
                              parcast_error *error);

/** Every rank is a host of its own. */
parcast_status transport_loggops(struct transport **transport, uint32_t n_ranks,
                                 const struct chain_layout *chains, const parcast_loggops *loggops,
                                 const struct transport_client *client, parcast_error *error);

#endif
