/* SIDE x SIDE quads that push their nodes, which are structures behind a vector: the forces of corners lie
 * three by three in an array of their own, and each node adds up those of its list, in memory through what
 * tells where each number of a node is (0), or its structure (1), or in registers (2). Arguments: which,
 * side, steps. */
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Node {
    double x, y, z, fx, fy, fz, mass;
};

class Domain
{
  public:
    explicit Domain(int side);
    void push(double *forces);
    void gather_words(const double *forces);
    void gather_structures(const double *forces);
    void gather_registers(const double *forces);
    void move();
    double &x(int i)
    {
        return nodes[i].x;
    }
    double &y(int i)
    {
        return nodes[i].y;
    }
    double &z(int i)
    {
        return nodes[i].z;
    }
    double &fx(int i)
    {
        return nodes[i].fx;
    }
    double &fy(int i)
    {
        return nodes[i].fy;
    }
    double &fz(int i)
    {
        return nodes[i].fz;
    }
    int quads() const
    {
        return side * side;
    }
    int size() const
    {
        return (int)nodes.size();
    }
    int corner_count(int i) const
    {
        return first[i + 1] - first[i];
    }
    const int *corner_list(int i) const
    {
        return &corners[first[i]];
    }

  private:
    int node_of(int quad, int k) const
    {
        int at = quad / side * (side + 1) + quad % side;
        return k == 0 ? at : k == 1 ? at + 1 : k == 2 ? at + side + 2 : at + side + 1;
    }
    int side;
    std::vector<Node> nodes;
    std::vector<int> first, corners;
};

Domain::Domain(int s) : side(s), nodes((s + 1) * (s + 1)), first(1, 0)
{
    for (int i = 0; i < size(); i++) {
        nodes[i] = Node{0.1 * (i % 7), 0.1 * (i % 5), 0.1 * (i % 3), 0, 0, 0, 1};
        for (int q = 0; q < quads(); q++)
            for (int k = 0; k < 4; k++)
                if (node_of(q, k) == i) corners.push_back(4 * q + k);
        first.push_back((int)corners.size());
    }
}

void Domain::push(double *forces)
{
    for (int q = 0; q < quads(); q++) {
        double stretch = 0;
        for (int k = 0; k < 4; k++) stretch += x(node_of(q, k)) * y(node_of(q, k)) + z(node_of(q, k));
        for (int k = 0; k < 4; k++) {
            double *force = forces + 3 * (4 * q + k);
            force[0] = stretch - x(node_of(q, k));
            force[1] = stretch - y(node_of(q, k));
            force[2] = stretch * z(node_of(q, k));
        }
    }
}

void Domain::gather_words(const double *forces)
{
    for (int i = 0; i < size(); i++) {
        int n = corner_count(i);
        const int *list = corner_list(i);
        for (int c = 0; c < n; c++) {
            fx(i) += forces[3 * list[c]];
            fy(i) += forces[3 * list[c] + 1];
            fz(i) += forces[3 * list[c] + 2];
        }
    }
}

void Domain::gather_structures(const double *forces)
{
    for (int i = 0; i < size(); i++) {
        int n = corner_count(i);
        const int *list = corner_list(i);
        for (int c = 0; c < n; c++) {
            const double *force = forces + 3 * list[c];
            Node &node = nodes[i];
            node.fx += force[0];
            node.fy += force[1];
            node.fz += force[2];
        }
    }
}

void Domain::gather_registers(const double *forces)
{
    for (int i = 0; i < size(); i++) {
        int n = corner_count(i);
        const int *list = corner_list(i);
        double sums[3] = {0, 0, 0};
        for (int c = 0; c < n; c++)
            for (int d = 0; d < 3; d++) sums[d] += forces[3 * list[c] + d];
        fx(i) += sums[0];
        fy(i) += sums[1];
        fz(i) += sums[2];
    }
}

void Domain::move()
{
    for (Node &node : nodes) {
        node.x += 1e-4 * node.fx / node.mass;
        node.y += 1e-4 * node.fy / node.mass;
        node.z += 1e-4 * node.fz / node.mass;
    }
}

__attribute__((noinline)) void kernel(Domain &d, int which, int steps)
{
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < d.size(); i++) d.fx(i) = d.fy(i) = d.fz(i) = 0;
        double *forces = new double[12 * (size_t)d.quads()];
        d.push(forces);
        if (which == 0) d.gather_words(forces);
        if (which == 1) d.gather_structures(forces);
        if (which == 2) d.gather_registers(forces);
        delete[] forces;
        d.move();
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    Domain d(std::atoi(argv[2]));
    kernel(d, std::atoi(argv[1]), std::atoi(argv[3]));
    std::printf("%.9g\n", d.x(d.size() / 2));
    return 0;
}
