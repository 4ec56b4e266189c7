/* Whatever the supervisor says, rank 0 obeys it or takes it for nothing: every text that was announced came
 * whole, and the end of the connection is noticed. The first byte says what rank 0 waits for. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "elastic/mpi/behind.h"
#include "elastic/mpi/internal.h"
#include "fuzz.h"

static void require(int condition)
{
    if (!condition) abort();
}

/* behind.c needs MPI: there is no checkpoint behind the run here that could be committed. */
void elastic_behind_hear(parcast_elastic *e, bool committed)
{
    (void)committed;
    require(e->wire.fd >= 0);
}

static void begin(parcast_elastic *e)
{
    elastic_begin begin;
    char *manifest, *servers;
    bool begun = elastic_control_begin(e, &begin, &manifest, &servers);
    require(!begun || (manifest != NULL) == (begin.manifest_bytes > 0));
    require(!begun || (servers != NULL) == (begin.servers_bytes > 0));
    free(manifest);
    free(servers);
}

static void wait_for(parcast_elastic *e, int what)
{
    switch (what) {
    case 0:
        begin(e);
        break;
    case 1:
        elastic_control_next(e);
        break;
    case 2:
        require(elastic_control_hold(e, 7, 3, "a description\n") <= ELASTIC_WORD_GO_ON);
        break;
    case 3:
        if (elastic_control_hand_over(e, 7, 3, "leave", "a manifest\n")) elastic_control_committed(e);
        break;
    default:
        elastic_control_poll(e);
        require(e->incoming.alone == 1); /* the other side has ended */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ends[2];
    if (size < 1 || size > 65536 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) return 0;
    parcast_elastic e = {0};
    elastic_wire_begin(&e.wire, ends[0]);
    require(write(ends[1], data + 1, size - 1) == (ssize_t)(size - 1));
    shutdown(ends[1], SHUT_WR);
    wait_for(&e, data[0] % 5);
    elastic_wire_end(&e.wire);
    close(ends[1]);
    return 0;
}
