#include <cmath>
#include <string>

#include "domain.h"

static inline void CollectDomainNodes(Domain &domain, const Index *nodes, Real x[CORNERS], Real y[CORNERS],
                                      Real z[CORNERS])
{
    for (int c = 0; c < CORNERS; c++) {
        x[c] = domain.x(nodes[c]);
        y[c] = domain.y(nodes[c]);
        z[c] = domain.z(nodes[c]);
    }
}

static Real CalcElemVolume(const Real x[CORNERS], const Real y[CORNERS], const Real z[CORNERS])
{
    Real volume = 0;
    for (int c = 0; c < CORNERS; c++) {
        const int n = c ^ 1, m = c ^ 2, k = c ^ 4;
        volume += FABS((x[n] - x[c]) * (y[m] - y[c]) * (z[k] - z[c]));
    }
    return volume / CORNERS;
}

class Forces : public Phase {
  public:
    void apply(Domain &domain) const override
    {
        const Index numElem = domain.numElem(), numNode = domain.numNode();
        Real *fx_elem = Allocate<Real>(CORNERS * numElem);
#pragma omp parallel for firstprivate(numElem)
        for (Index k = 0; k < numElem; ++k) {
            Real x[CORNERS], y[CORNERS], z[CORNERS], B[CORNERS];
            CollectDomainNodes(domain, domain.nodelist(k), x, y, z);
            const Real volume = CalcElemVolume(x, y, z);
            if (volume < Real(0)) throw Failure("negative volume");
            domain.v(k) = volume;
            for (int c = 0; c < CORNERS; c++) B[c] = CBRT(volume) * (y[c ^ 2] - y[c]) * (z[c ^ 4] - z[c]);
            for (int c = 0; c < CORNERS; c++) fx_elem[CORNERS * k + c] = B[c] * domain.p(k);
        }
#pragma omp parallel for
        for (Index i = 0; i < numNode; ++i) domain.fx(i) = 0;
        for (Index k = 0; k < numElem; ++k)
            for (int c = 0; c < CORNERS; c++) domain.fx(domain.nodelist(k)[c]) += fx_elem[CORNERS * k + c];
        Release(&fx_elem);
    }
};

class Motion : public Phase {
  public:
    void apply(Domain &domain) const override
    {
        const Real dt = domain.deltatime;
#pragma omp parallel for
        for (Index i = 0; i < domain.numNode(); ++i) {
            Real xdd = domain.fx(i) / domain.mass(i), xdnew = domain.xd(i) + xdd * dt;
            if (FABS(xdnew) < Real(1.0e-7)) xdnew = Real(0.0);
            domain.xd(i) = xdnew;
            domain.x(i) += xdnew * dt;
        }
    }
};

class State : public Phase {
  public:
    void apply(Domain &domain) const override
    {
        domain.AllocateGradients();
        for (Index k = 0; k < domain.numElem(); ++k) {
            Real sum = 0;
            for (int c = 0; c < CORNERS; c++) sum += domain.xd(domain.nodelist(k)[c]) * (c & 1 ? 1 : -1);
            domain.delv(k) = sum / 4;
        }
        for (int r = 0; r < domain.numReg(); r++) Evaluate(domain, r);
        domain.DeallocateGradients();
    }

  private:
    static void Evaluate(Domain &domain, int r)
    {
        const Index n = domain.regElemSize(r), *list = domain.regElemlist(r);
        std::vector<Real> e_old(n), work(n);
        for (Index i = 0; i < n; ++i) {
            e_old[i] = domain.e(list[i]);
            work[i] = domain.p(list[i]) * domain.delv(list[i]);
        }
        for (Index i = 0; i < n; ++i) {
            const Index k = list[i];
            const Real sound = SQRT(Real(1.4) * domain.p(k) + Real(1e-9));
            domain.e(k) = e_old[i] - domain.deltatime * work[i] - stress_viscosity(domain.delv(k), 1 / domain.v(k), sound);
            domain.p(k) = domain.e(k) > 0 ? Real(0.4) * domain.e(k) / domain.v(k) : Real(0);
        }
    }
};

std::map<std::string, Phase *> makePhases()
{
    std::map<std::string, Phase *> phases;
    phases["1 forces"] = new Forces;
    phases["2 motion"] = new Motion;
    phases["3 state"] = new State;
    return phases;
}
