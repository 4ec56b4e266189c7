#include "mesh.h"

int element_of(const Box &box, int i, int j, int k)
{
    return (k * box.count[1] + j) * box.count[0] + i;
}

int node_of(const Box &box, int i, int j, int k)
{
    return (k * (box.count[1] + 1) + j) * (box.count[0] + 1) + i;
}

/* Counter-clockwise around the bottom, then around the top. */
static const int corner_offset[CORNERS][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                              {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

std::vector<int> elements_at(const Box &box, int face)
{
    std::vector<int> elements;
    const int direction = face / 2, last = box.count[direction] - 1;
    std::array<int, 3> at;
    for (at[2] = 0; at[2] < box.count[2]; at[2]++)
        for (at[1] = 0; at[1] < box.count[1]; at[1]++)
            for (at[0] = 0; at[0] < box.count[0]; at[0]++)
                if (at[direction] == (face % 2 ? last : 0))
                    elements.push_back(element_of(box, at[0], at[1], at[2]));
    return elements;
}

/* Elements behind the rim of the box: ghosts, the mirror of a plane of symmetry, or nothing. */
static void close_rim(Mesh &mesh, const Box &box)
{
    for (int face = 0; face < FACES; face++) {
        const int direction = face / 2, high = face % 2;
        const bool is_rim =
            high ? box.first[direction] + box.count[direction] == box.side : box.first[direction] == 0;
        for (int element : elements_at(box, face)) {
            int behind = high ? NO_NEIGHBOUR : MIRROR;
            if (!is_rim) behind = mesh.n_elements + mesh.n_ghosts++;
            mesh.neighbour[element * FACES + face] = behind;
        }
    }
}

static void join_elements(Mesh &mesh, const Box &box)
{
    for (int k = 0; k < box.count[2]; k++)
        for (int j = 0; j < box.count[1]; j++)
            for (int i = 0; i < box.count[0]; i++) {
                const int element = element_of(box, i, j, k);
                for (int c = 0; c < CORNERS; c++)
                    mesh.corner[element * CORNERS + c] = node_of(
                        box, i + corner_offset[c][0], j + corner_offset[c][1], k + corner_offset[c][2]);
                int *behind = &mesh.neighbour[element * FACES];
                if (i > 0) behind[0] = element_of(box, i - 1, j, k);
                if (i + 1 < box.count[0]) behind[1] = element_of(box, i + 1, j, k);
                if (j > 0) behind[2] = element_of(box, i, j - 1, k);
                if (j + 1 < box.count[1]) behind[3] = element_of(box, i, j + 1, k);
                if (k > 0) behind[4] = element_of(box, i, j, k - 1);
                if (k + 1 < box.count[2]) behind[5] = element_of(box, i, j, k + 1);
            }
}

static void fix_nodes(Mesh &mesh, const Box &box)
{
    for (int k = 0; k <= box.count[2]; k++)
        for (int j = 0; j <= box.count[1]; j++)
            for (int i = 0; i <= box.count[0]; i++) {
                const int node = node_of(box, i, j, k);
                if (box.first[0] + i == 0) mesh.fixed_nodes[0].push_back(node);
                if (box.first[1] + j == 0) mesh.fixed_nodes[1].push_back(node);
                if (box.first[2] + k == 0) mesh.fixed_nodes[2].push_back(node);
            }
}

Mesh make_box(const Box &box)
{
    Mesh mesh;
    mesh.n_ghosts = 0;
    mesh.n_elements = box.count[0] * box.count[1] * box.count[2];
    mesh.n_nodes = (box.count[0] + 1) * (box.count[1] + 1) * (box.count[2] + 1);
    mesh.corner.resize(mesh.n_elements * CORNERS);
    mesh.neighbour.resize(mesh.n_elements * FACES);
    join_elements(mesh, box);
    close_rim(mesh, box);
    fix_nodes(mesh, box);
    for (int e = 0; e < mesh.n_elements; e++) mesh.material.push_back(e);
    return mesh;
}
