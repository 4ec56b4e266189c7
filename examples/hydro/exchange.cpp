#include "exchange.h"

using Field = std::vector<double>;

static void deal(int side, int parts, int part, int &first, int &count)
{
    const int share = side / parts, rest = side % parts;
    first = part * share + (part < rest ? part : rest);
    count = share + (part < rest ? 1 : 0);
}

bool cut(int side, Ranks &ranks, Box &box)
{
    int n_ranks, rank, periods[DIRECTIONS] = {0, 0, 0}, at[DIRECTIONS];
    ranks.grid.fill(0);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Dims_create(n_ranks, DIRECTIONS, ranks.grid.data());
    if (ranks.grid[0] > side) return false;
    MPI_Cart_create(MPI_COMM_WORLD, DIRECTIONS, ranks.grid.data(), periods, 0, &ranks.comm);
    MPI_Comm_rank(ranks.comm, &rank);
    MPI_Cart_coords(ranks.comm, rank, DIRECTIONS, at);
    box.side = side;
    for (int d = 0; d < DIRECTIONS; d++) {
        deal(side, ranks.grid[d], at[d], box.first[d], box.count[d]);
        MPI_Cart_shift(ranks.comm, d, 1, &ranks.low[d], &ranks.high[d]);
    }
    return true;
}

/* Nodes of a plane, but not those that an earlier direction has given away. */
static std::vector<int> plane(const Box &box, const Ranks &ranks, int direction, int where)
{
    std::vector<int> nodes;
    std::array<int, DIRECTIONS> at;
    for (at[2] = 0; at[2] <= box.count[2]; at[2]++)
        for (at[1] = 0; at[1] <= box.count[1]; at[1]++)
            for (at[0] = 0; at[0] <= box.count[0]; at[0]++) {
                bool given = false;
                for (int d = 0; d < direction; d++)
                    given = given || (at[d] == 0 && ranks.low[d] != MPI_PROC_NULL);
                if (at[direction] == where && !given) nodes.push_back(node_of(box, at[0], at[1], at[2]));
            }
    return nodes;
}

void find_shared(const Box &box, Ranks &ranks)
{
    ranks.owned.assign((box.count[0] + 1) * (box.count[1] + 1) * (box.count[2] + 1), true);
    for (int d = 0; d < DIRECTIONS; d++) {
        if (ranks.low[d] != MPI_PROC_NULL) ranks.given[d] = plane(box, ranks, d, 0);
        if (ranks.high[d] != MPI_PROC_NULL) ranks.taken[d] = plane(box, ranks, d, box.count[d]);
        for (int node : ranks.given[d]) ranks.owned[node] = false;
        ranks.rim[2 * d] = elements_at(box, 2 * d);
        ranks.rim[2 * d + 1] = elements_at(box, 2 * d + 1);
    }
}

static std::vector<double> pack(const std::vector<Field *> &fields, const std::vector<int> &at)
{
    std::vector<double> words;
    words.reserve(fields.size() * at.size());
    for (const Field *field : fields)
        for (int i : at) words.push_back((*field)[i]);
    return words;
}

/* Send some words one way, receive what fits `in` from the other. */
static void shift(const Ranks &ranks, const std::vector<double> &out, int to, std::vector<double> &in, int from)
{
    MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_DOUBLE, to, 0, in.data(),
                 static_cast<int>(in.size()), MPI_DOUBLE, from, 0, ranks.comm, MPI_STATUS_IGNORE);
}

void collect(const Ranks &ranks, const std::vector<Field *> &fields)
{
    for (int d = 0; d < DIRECTIONS; d++) {
        const std::vector<int> &taken = ranks.taken[d];
        std::vector<double> in(fields.size() * taken.size());
        shift(ranks, pack(fields, ranks.given[d]), ranks.low[d], in, ranks.high[d]);
        std::size_t i = 0;
        for (Field *field : fields)
            for (int node : taken) (*field)[node] += in[i++];
    }
}

void spread(const Ranks &ranks, const std::vector<Field *> &fields)
{
    for (int d = DIRECTIONS - 1; d >= 0; d--) {
        const std::vector<int> &given = ranks.given[d];
        std::vector<double> in(fields.size() * given.size());
        shift(ranks, pack(fields, ranks.taken[d]), ranks.high[d], in, ranks.low[d]);
        std::size_t i = 0;
        for (Field *field : fields)
            for (int node : given) (*field)[node] = in[i++];
    }
}

/* Ghosts come behind the elements, face by face: make_box() in ../sequential/hydro/mesh.cpp. */
void exchange_jumps(const Ranks &ranks, Fields &fields, const Mesh &mesh)
{
    std::size_t ghost = mesh.n_elements;
    const std::vector<Field *> jumps = {&fields.jump[0], &fields.jump[1], &fields.jump[2]};
    for (int face = 0; face < FACES; face++) {
        const int d = face / 2, behind = face % 2 ? ranks.high[d] : ranks.low[d],
                  opposite = face % 2 ? ranks.low[d] : ranks.high[d];
        const std::vector<int> &rim = ranks.rim[face];
        const std::size_t n_in = behind == MPI_PROC_NULL ? 0 : rim.size();
        std::vector<double> in(jumps.size() * n_in), out;
        if (opposite != MPI_PROC_NULL) out = pack(jumps, ranks.rim[face ^ 1]);
        shift(ranks, out, opposite, in, behind);
        std::size_t i = 0;
        for (Field *jump : jumps)
            for (std::size_t n = 0; n < n_in; n++) (*jump)[ghost + n] = in[i++];
        ghost += n_in;
    }
}
