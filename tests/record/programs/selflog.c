/*
 * Logs every MPI call that it makes, as `parcast dump` prints events, into log.RANK: the truth that a trace
 * of it is compared with. What it does is drawn from a seed, the same on all ranks; what depends on chance
 * (who a wildcard matched, what completed first) is logged as it came.
 *
 *   selflog [SEED [STEPS]]
 */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_OPEN = 64, MOST_RANKS = 16, ROOM = 1 << 16 };

static FILE *file;
static int rank, n_ranks;
static unsigned long long state;
static char in[ROOM], out[ROOM];
static int taken[MOST_OPEN]; /* numbers of requests, the lowest free one is the next */

/* Communicators and how they are numbered in the trace: as rank 0, then rank 1 meets them. */
enum { WORLD, DUP, HALF, TURNED, N_COMMS };
static MPI_Comm comms[N_COMMS];
static int numbers[N_COMMS], sizes[N_COMMS], own[N_COMMS];

static void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
}

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % n;
}

static void note_comm(int c)
{
    if (numbers[c]) note(" comm %d", numbers[c]);
}

static int take(void)
{
    int i = 0;
    while (taken[i]) i++;
    taken[i] = 1;
    return i;
}

static void list(const char *what, const int *values, int n)
{
    if (n == 0) return;
    note(" %s", what);
    for (int i = 0; i < n; i++) note("%s%d", i ? "," : " ", values[i]);
}

/* -------- steps; every rank draws the same numbers -------- */

static void blocking_ring(int c)
{
    int bytes = (int)draw(2000), tag = (int)draw(5), next = (own[c] + 1) % sizes[c];
    int before = (own[c] + sizes[c] - 1) % sizes[c];
    MPI_Sendrecv(in, bytes, MPI_BYTE, next, tag, out, ROOM, MPI_BYTE, before, tag, comms[c],
                 MPI_STATUS_IGNORE);
    note("sendrecv to %d tag %d %d bytes from %d tag %d %d bytes", next, tag, bytes, before, tag, bytes);
    note_comm(c);
    note("\n");
}

/* Everybody posts from anybody, so who matched is chance. */
static void wildcard_ring(int c)
{
    int bytes = 1 + (int)draw(100), tag = (int)draw(3), next = (own[c] + 1) % sizes[c];
    MPI_Request r[2];
    MPI_Status s;
    int receive = take(), send = take();
    MPI_Irecv(out, ROOM, MPI_BYTE, MPI_ANY_SOURCE, tag, comms[c], &r[0]);
    MPI_Isend(in, bytes, MPI_BYTE, next, tag, comms[c], &r[1]);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    MPI_Wait(&r[0], &s);
    note("irecv from any tag %d %d bytes (matched from %d tag %d)", tag, ROOM, s.MPI_SOURCE, s.MPI_TAG);
    note_comm(c);
    note(" request %d\nisend to %d tag %d %d bytes", receive, next, tag, bytes);
    note_comm(c);
    note(" request %d\nwait requests %d\nwait requests %d\n", send, send, receive);
    taken[send] = taken[receive] = 0;
}

/* Several receives and sends; completed by Waitany, Waitsome, Testsome or Waitall. */
static void many_requests(int c)
{
    enum { N = 6 };
    MPI_Request r[N];
    int ids[N], n_left = N, how = (int)draw(4), next = (own[c] + 1) % sizes[c];
    int before = (own[c] + sizes[c] - 1) % sizes[c];
    for (int i = 0; i < N; i++) {
        int bytes = (int)draw(300), sends = i >= N / 2;
        ids[i] = take();
        if (sends)
            MPI_Isend(in, bytes, MPI_BYTE, next, i - N / 2, comms[c], &r[i]);
        else
            MPI_Irecv(out + 1000 * i, 1000, MPI_BYTE, before, i, comms[c], &r[i]);
        note("i%s %d tag %d %d bytes", sends ? "send to" : "recv from", sends ? next : before, i % (N / 2),
             sends ? bytes : 1000);
        note_comm(c);
        note(" request %d\n", ids[i]);
    }
    if (how == 3) {
        MPI_Waitall(N, r, MPI_STATUSES_IGNORE);
        note("waitall");
        list("requests", ids, N);
        note("\n");
        for (int i = 0; i < N; i++) taken[ids[i]] = 0;
        n_left = 0;
    }
    while (n_left > 0) {
        int indices[N], n = 0, open[N], n_open = 0, flag = 0;
        for (int i = 0; i < N; i++)
            if (r[i] != MPI_REQUEST_NULL) open[n_open++] = ids[i];
        if (how == 0) {
            MPI_Waitany(N, r, &indices[0], MPI_STATUS_IGNORE);
            n = 1;
            note("waitany");
        } else if (how == 1) {
            MPI_Waitsome(N, r, &n, indices, MPI_STATUSES_IGNORE);
            note("waitsome");
        } else if (draw(2)) {
            MPI_Testsome(N, r, &n, indices, MPI_STATUSES_IGNORE);
            note("testsome");
        } else {
            MPI_Testany(N, r, &indices[0], &flag, MPI_STATUS_IGNORE);
            n = flag;
            note("testany");
        }
        int done[N];
        for (int i = 0; i < n; i++) done[i] = ids[indices[i]];
        list("requests", open, n_open);
        list("completed", done, n);
        if (how == 2) note("%s", flag || n > 0 ? " yes" : " no");
        note("\n");
        for (int i = 0; i < n; i++) taken[done[i]] = 0;
        n_left -= n;
    }
}

static void derived_type(int c)
{
    MPI_Datatype vector;
    int count = 1 + (int)draw(8), next = (own[c] + 1) % sizes[c], before = (own[c] + sizes[c] - 1) % sizes[c];
    MPI_Request r;
    MPI_Type_vector(count, 3, 7, MPI_DOUBLE, &vector);
    MPI_Type_commit(&vector);
    int id = take();
    MPI_Issend(in, 2, vector, next, 9, comms[c], &r);
    note("issend to %d tag 9 %d bytes", next, 2 * count * 24);
    note_comm(c);
    note(" request %d\n", id);
    MPI_Recv(out, 2, vector, before, 9, comms[c], MPI_STATUS_IGNORE);
    note("recv from %d tag 9 %d bytes", before, 2 * count * 24);
    note_comm(c);
    note("\n");
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    note("wait requests %d\n", id);
    taken[id] = 0;
    MPI_Type_free(&vector);
    note("other MPI_Type_free\n");
}

static void persistent(int c)
{
    MPI_Request r[2];
    int bytes = (int)draw(500), times = 1 + (int)draw(3), next = (own[c] + 1) % sizes[c];
    int before = (own[c] + sizes[c] - 1) % sizes[c], ids[2] = {take(), take()};
    MPI_Send_init(in, bytes, MPI_BYTE, next, 4, comms[c], &r[0]);
    note("init-send to %d tag 4 %d bytes", next, bytes);
    note_comm(c);
    note(" request %d\n", ids[0]);
    MPI_Recv_init(out, 1000, MPI_BYTE, before, 4, comms[c], &r[1]);
    note("init-recv from %d tag 4 1000 bytes", before);
    note_comm(c);
    note(" request %d\n", ids[1]);
    for (int i = 0; i < times; i++) {
        MPI_Startall(2, r);
        note("start request %d\nstart request %d\n", ids[0], ids[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        note("waitall requests %d,%d\n", ids[0], ids[1]);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Request_free(&r[i]);
        note("request-free request %d\n", ids[i]);
        taken[ids[i]] = 0;
    }
}

static void probed(int c)
{
    MPI_Message message;
    MPI_Status s;
    int bytes = 1 + (int)draw(64), next = (own[c] + 1) % sizes[c], count;
    MPI_Request r;
    int id = take();
    MPI_Isend(in, bytes, MPI_BYTE, next, 6, comms[c], &r);
    note("isend to %d tag 6 %d bytes", next, bytes);
    note_comm(c);
    note(" request %d\n", id);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comms[c], &message, &s);
    MPI_Get_count(&s, MPI_BYTE, &count);
    note("probe from any tag any %d bytes (matched from %d tag %d)", count, s.MPI_SOURCE, s.MPI_TAG);
    note_comm(c);
    note("\n");
    MPI_Mrecv(out, ROOM, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    note("recv from %d tag %d %d bytes", s.MPI_SOURCE, s.MPI_TAG, count);
    note_comm(c);
    note("\n");
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    note("wait requests %d\n", id);
    taken[id] = 0;
}

static void collectives(int c)
{
    int n = 1 + (int)draw(50), root = (int)draw((unsigned)sizes[c]), i = own[c], p = sizes[c], total = 0;
    int counts[MOST_RANKS], starts[MOST_RANKS];
    for (int k = 0; k < p; k++) {
        counts[k] = (int)draw(20);
        starts[k] = total;
        total += counts[k];
    }
    MPI_Request r;
    switch (draw(9)) {
    case 0:
        MPI_Allreduce(in, out, n, MPI_FLOAT, MPI_SUM, comms[c]);
        note("allreduce %d bytes %d elements", 4 * n, n);
        break;
    case 1:
        MPI_Bcast(in, n, MPI_INT, root, comms[c]);
        note("bcast root %d %d bytes", root, 4 * n);
        break;
    case 2:
        MPI_Gatherv(in, counts[i], MPI_SHORT, out, counts, starts, MPI_SHORT, root, comms[c]);
        note("gatherv root %d", root);
        if (counts[i]) note(" %d bytes", 2 * counts[i]);
        for (int k = 0; k < p; k++) counts[k] *= 2;
        if (i == root) list("receives", counts, p);
        break;
    case 3:
        MPI_Allgatherv(in, counts[i], MPI_BYTE, out, counts, starts, MPI_BYTE, comms[c]);
        note("allgatherv");
        if (counts[i]) note(" %d bytes", counts[i]);
        list("receives", counts, p);
        break;
    case 4: { /* what goes from i to k is counts[i] + k */
        int send[MOST_RANKS], receive[MOST_RANKS], to[MOST_RANKS], from[MOST_RANKS], at = 0, back = 0;
        for (int k = 0; k < p; k++) {
            send[k] = counts[i] + k;
            receive[k] = counts[k] + i;
            to[k] = at;
            from[k] = back;
            at += send[k];
            back += receive[k];
        }
        MPI_Alltoallv(in, send, to, MPI_BYTE, out, receive, from, MPI_BYTE, comms[c]);
        note("alltoallv");
        list("sends", send, p);
        list("receives", receive, p);
        break;
    }
    case 5:
        MPI_Scatter(in, n, MPI_BYTE, out, n, MPI_BYTE, root, comms[c]);
        note("scatter root %d %d bytes", root, n);
        break;
    case 6: {
        int id = take();
        MPI_Ialltoall(in, n, MPI_BYTE, out, n, MPI_BYTE, comms[c], &r);
        note("ialltoall %d bytes", n);
        note_comm(c);
        note(" request %d\n", id);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        note("wait requests %d\n", id);
        taken[id] = 0;
        return;
    }
    case 7:
        MPI_Reduce_scatter(in, out, counts, MPI_BYTE, MPI_BOR, comms[c]);
        note("reduce-scatter");
        if (total) note(" %d elements", total);
        list("receives", counts, p);
        break;
    default:
        MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_MAX, root, comms[c]);
        note("reduce root %d %d bytes %d elements", root, 8 * n, n);
    }
    note_comm(c);
    note("\n");
}

static void make_comms(void)
{
    comms[WORLD] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[DUP]);
    note("comm-create MPI_Comm_dup makes comm %d\n", numbers[DUP] = 2);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comms[HALF]);
    note("comm-create MPI_Comm_split makes comm %d\n", numbers[HALF] = rank % 2 ? 5 : 3);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[TURNED]);
    note("comm-create MPI_Comm_split makes comm %d\n", numbers[TURNED] = 4);
    for (int c = 0; c < N_COMMS; c++) {
        MPI_Comm_size(comms[c], &sizes[c]);
        MPI_Comm_rank(comms[c], &own[c]);
    }
}

int main(int argc, char **argv)
{
    static void (*const steps[])(int) = {blocking_ring, wildcard_ring, many_requests,
                                         derived_type,  persistent,    probed,
                                         collectives,   collectives,   collectives};
    char name[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    int n_steps = argc > 2 ? atoi(argv[2]) : 200;
    snprintf(name, sizeof name, "log.%d", rank);
    file = fopen(name, "w");
    if (file) setvbuf(file, NULL, _IOLBF, 1 << 12);
    if (!file || n_ranks < 2 || n_ranks > MOST_RANKS) MPI_Abort(MPI_COMM_WORLD, 1);
    note("init\n");
    make_comms();
    for (int i = 0; i < n_steps; i++) {
        state = (unsigned long long)(argc > 1 ? atoi(argv[1]) : 1) * 1000003ULL + (unsigned long long)i;
        for (int k = 0; k < 4; k++) draw(2);
        int step = (int)draw(sizeof steps / sizeof steps[0]), c = (int)draw(N_COMMS);
        steps[step](c);
    }
    for (int c = N_COMMS - 1; c > 0; c--) {
        MPI_Comm_free(&comms[c]);
        note("comm-free comm %d\n", numbers[c]);
    }
    note("finalize\n");
    fclose(file);
    MPI_Finalize();
    return 0;
}
