// The fields of a mesh and how they are reached, as hydrodynamics mini-applications have them.
#ifndef DOMAIN_H
#define DOMAIN_H

#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#ifndef USE_MPI
#error "give -DUSE_MPI=0 or 1"
#endif
#if USE_MPI
#include <mpi.h>
#endif
#if _OPENMP
#include <omp.h>
#endif

typedef double Real;
typedef int Index;

enum { CORNERS = 8 };

inline Real SQRT(Real x)
{
    return std::sqrt(x);
}
inline Real CBRT(Real x)
{
    return std::cbrt(x);
}
inline Real FABS(Real x)
{
    return std::fabs(x);
}

template <typename T> T *Allocate(std::size_t n)
{
    return static_cast<T *>(::operator new(n * sizeof(T)));
}
template <typename T> void Release(T **p)
{
    if (*p) ::operator delete(*p);
    *p = nullptr;
}

class Domain
{
  public:
    Domain(Index side, int regions);
    ~Domain();
    Domain(const Domain &) = delete;
    Domain &operator=(const Domain &) = delete;

    Real &x(Index i)
    {
        return m_x[i];
    }
    Real &y(Index i)
    {
        return m_y[i];
    }
    Real &z(Index i)
    {
        return m_z[i];
    }
    Real &fx(Index i)
    {
        return m_fx[i];
    }
    Real &xd(Index i)
    {
        return m_xd[i];
    }
    Real &mass(Index i)
    {
        return m_mass[i];
    }
    Real &e(Index i)
    {
        return m_e[i];
    }
    Real &p(Index i)
    {
        return m_p[i];
    }
    Real &v(Index i)
    {
        return m_v[i];
    }
    Real &delv(Index i)
    {
        return m_delv[i];
    }
    Index *nodelist(Index element)
    {
        return &m_nodelist[CORNERS * element];
    }
    Index numElem() const
    {
        return m_numElem;
    }
    Index numNode() const
    {
        return m_numNode;
    }
    int numReg() const
    {
        return m_numReg;
    }
    Index regElemSize(int r) const
    {
        return m_regElemSize[r];
    }
    Index *regElemlist(int r)
    {
        return m_regElemlist[r];
    }
    Real deltatime, time;

    void AllocateGradients();
    void DeallocateGradients();

  private:
    std::vector<Real> m_x, m_y, m_z, m_xd, m_fx, m_mass, m_e, m_p, m_v;
    Real *m_delv;
    std::vector<Index> m_nodelist;
    int m_numReg;
    Index *m_regElemSize, **m_regElemlist;
    Index m_numElem, m_numNode;
};

struct Failure : std::runtime_error {
    explicit Failure(const char *what) : std::runtime_error(what)
    {
    }
};

// A step's parts; each may be chosen by name.
class Phase
{
  public:
    virtual ~Phase()
    {
    }
    virtual void apply(Domain &domain) const = 0;
};
std::map<std::string, Phase *> makePhases();

extern "C" Real stress_viscosity(Real change, Real density, Real sound);
double wallclock();

#endif
