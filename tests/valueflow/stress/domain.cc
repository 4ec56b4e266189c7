#include <cmath>
#include <string>

#include "domain.h"

Domain::Domain(Index side, int regions)
    : deltatime(1.0e-3), time(0), m_delv(nullptr), m_numReg(regions), m_numElem(side * side * side),
      m_numNode((side + 1) * (side + 1) * (side + 1))
{
    const Index nodes = side + 1;
    m_x.resize(m_numNode);
    m_y.resize(m_numNode);
    m_z.resize(m_numNode);
    m_xd.resize(m_numNode);
    m_fx.resize(m_numNode);
    m_mass.resize(m_numNode, Real(1.0));
    m_e.resize(m_numElem);
    m_p.resize(m_numElem);
    m_v.resize(m_numElem, Real(1.0));
    m_nodelist.resize(CORNERS * m_numElem);
    for (Index i = 0; i < m_numNode; i++) {
        x(i) = Real(i % nodes) / side;
        y(i) = Real(i / nodes % nodes) / side;
        z(i) = Real(i / nodes / nodes) / side;
    }
    for (Index i = 0; i < m_numElem; i++) {
        const Index column = i % side, row = i / side % side, plane = i / side / side;
        for (int c = 0; c < CORNERS; c++)
            nodelist(i)[c] = column + (c & 1) + nodes * (row + (c >> 1 & 1) + nodes * (plane + (c >> 2)));
    }
    m_regElemSize = new Index[m_numReg];
    m_regElemlist = new Index *[m_numReg];
    for (int r = 0; r < m_numReg; r++) {
        m_regElemSize[r] = 0;
        m_regElemlist[r] = new Index[m_numElem / m_numReg + 1];
    }
    for (Index i = 0; i < m_numElem; i++) {
        const int r = int(i % m_numReg);
        regElemlist(r)[m_regElemSize[r]++] = i;
    }
    m_e[0] = Real(3.948746);
}

Domain::~Domain()
{
    for (int r = 0; r < m_numReg; r++) delete[] m_regElemlist[r];
    delete[] m_regElemlist;
    delete[] m_regElemSize;
}

void Domain::AllocateGradients() { m_delv = Allocate<Real>(m_numElem); }
void Domain::DeallocateGradients() { Release(&m_delv); }
