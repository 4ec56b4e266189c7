/* Whatever a program says, the supervisor keeps numbers that can be, and does not break. The first byte says
 * how far the launch is that speaks, and whether another one waits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "elastic/supervise.h"
#include "fuzz.h"

static char directory[] = "/tmp/parcast-fuzz-talk.XXXXXX";
static elastic_store store;

static void require(int condition)
{
    if (!condition) abort();
}

static void clean_up(void)
{
    elastic_store_close(&store, true);
}

static parcast_status wish(void *context, const parcast_supervised *state, parcast_wish *wish,
                           parcast_error *error)
{
    (void)context;
    (void)error;
    require(state->nodes >= 0 && state->iteration >= 0 && state->since_iteration >= 0);
    require(!(state->running_s < 0));
    *wish = (parcast_wish){.nodes = 2, .at_iteration = state->iteration % 3 ? -1 : state->iteration};
    return PARCAST_OK;
}

static void moved(void *context, const parcast_supervisor_event *event)
{
    (void)context;
    require(event->to_nodes > 0 && event->from_nodes >= 0 && event->iteration >= 0 && event->bytes >= 0);
}

static void tell(void *context, bool warning, const char *text)
{
    (void)context;
    (void)warning;
    require(text[0] != '\0');
}

/* Both ends; the other one has said all that it says, and hears without listening. */
static int connect_launch(elastic_wire *wire, const uint8_t *data, size_t size)
{
    int ends[2];
    const int room = 1 << 20;
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    elastic_wire_begin(wire, ends[0]);
    require(write(ends[1], data, size) == (ssize_t)size);
    shutdown(ends[1], SHUT_WR);
    return ends[1];
}

/* All places are taken, so that nothing is started. */
static void set_launches(supervisor *s, int state)
{
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++)
        s->launches[i] = (struct launch){.state = LAUNCH_ENDED,
                                         .number = (int)i + 1,
                                         .nodes = i ? 2 : 1,
                                         .ranks = i ? 2 : 1,
                                         .wire.fd = -1,
                                         .greeted = true,
                                         .can_hold = true,
                                         .in_memory = true,
                                         .offered = -1,
                                         .kill_s = INFINITY};
    s->launches[0].state = LAUNCH_STARTING + (unsigned)state % (LAUNCH_DONE - LAUNCH_STARTING);
    s->now = &s->launches[0];
    if (state & 0x40) s->now = NULL;
    if (state & 0x40) s->next = &s->launches[0];
    if (state & 0x20) s->launches[1].state = LAUNCH_READY;
    if (state & 0x20 && s->now) s->next = &s->launches[1];
}

static void clear(supervisor *s, const int ends[2])
{
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) elastic_wire_end(&s->launches[i].wire);
    for (int i = 0; i < 2; i++) close(ends[i]);
    store = s->store;
    elastic_store_forget(&store);
    parcast_supervisor_result_clear(&s->result);
    free(s->held_text);
    free(s->copies.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const parcast_supervisor_calls calls = {.wish = wish, .moved = moved, .tell = tell};
    const parcast_supervisor_request request = {.ranks_per_node = 1, .overlap = true, .in_memory = true};
    parcast_error error = {0};
    if (size < 1 || size > 8192) return 0;
    if (!store.directory) {
        require(mkdtemp(directory) && elastic_store_open(directory, NULL, &store, NULL) == PARCAST_OK);
        atexit(clean_up);
    }
    supervisor s = {.request = &request,
                    .calls = &calls,
                    .store = store,
                    .error = &error,
                    .listener = -1,
                    .signals = -1,
                    .can_spawn = true,
                    .resize_until_s = INFINITY};
    for (size_t i = 0; i < ELASTIC_MAX_STRANGERS; i++) s.strangers[i].fd = -1;
    set_launches(&s, data[0]);
    const int ends[2] = {connect_launch(&s.launches[0].wire, data + 1, size - 1),
                         connect_launch(&s.launches[1].wire, data, 0)};
    require(supervise_listen(&s, &s.launches[0]) == PARCAST_OK || error.text[0]);
    clear(&s, ends);
    return 0;
}
