// clop-driver DIMENSIONS SEED: R. Coulom's CLOP, asked for points and told who won, through pipes.
//
// Each line of the input is "1" (won), "0" (lost) or "?" (the estimate of now). Each line of the output is a
// point in the cube from -1 to 1: the first one comes unasked, and one after each line of the input.
// The settings are those of his program: refresh rate 0.1, H = 3, 7 iterations of weights, 1,000 Metropolis
// steps a dimension, prior 0.01, the weighted mean of the points as the estimate.
//
// Built with the sources of CLOP 0.0.9 (there is a copy in the history of github.com/Jlisowskyy/Checkmate-Chariot,
// commit 5516397, folder tune/clop_src), P being their folder `programs`:
//   g++ -O3 -march=native -w -std=c++11 -include cmath -include algorithm -Drestrict=__restrict \
//     -I$P/clop/src -I$P/clop/src/math -I$P/rclib/src/util -I$P/rclib/src/io -I$P/rclib/src/misc -I$P/math/src \
//     clop.cpp $P/clop/src/{CRegression,CSPWeight,CMESampleMean,CResults,CObserver,CPFQuadratic}.cpp \
//     $P/clop/src/{CParametricFunction,CDFConfidence,CDFVariance}.cpp $P/clop/src/math/*.cpp -o clop-driver
#include <cstdio>
#include <cstdlib>

#include "CMESampleMean.h"
#include "CPFQuadratic.h"
#include "CRegression.h"
#include "CResults.h"
#include "CSPWeight.h"

static void Say(const double *v, int n)
{
 for (int i = 0; i < n; i++)
  std::printf(i ? " %.9g" : "%.9g", v[i]);
 std::printf("\n");
 std::fflush(stdout);
}

int main(int argc, char **argv)
{
 if (argc != 3)
  return 2;
 const int n = std::atoi(argv[1]);
 CResults results(n);
 CPFQuadratic pf(n);
 pf.SetPriorStrength(1e-2);
 CRegression reg(results, pf);
 reg.SetRefreshRate(0.1);
 reg.SetLocalizationHeight(3.0);
 reg.SetMaxWeightIterations(7);
 CMESampleMean me(reg);
 CSPWeight sp(reg, 0, 1000);
 sp.Seed(std::atoi(argv[2]));
 int i = results.AddSample(sp.NextSample(0));
 Say(results.GetSample(i), n);
 char line[64];
 while (std::fgets(line, sizeof line, stdin))
  if (line[0] == '?')
  {
   double v[64] = {0};
   me.MaxParameter(v);
   Say(v, n);
  }
  else
  {
   results.AddOutcome(i, line[0] == '1' ? COutcome::Win : COutcome::Loss);
   i = results.AddSample(sp.NextSample(results.GetSamples()));
   Say(results.GetSample(i), n);
  }
 return 0;
}
