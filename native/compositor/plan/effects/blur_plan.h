#pragma once

#include <cstddef>
#include <cstdint>

namespace framewright {

// A Gaussian blur as a number of halvings, a Gaussian of `sigma` at reduced size, and as many doublings.
// Sigma 0: no visible blur.
struct BlurPlan {
  size_t halvings = 0;
  double sigma = 0;
};
BlurPlan planBlur(double sigma);

// Taps of the reduced Gaussian on each side of the centre, and in total.
inline constexpr int kMaxBlurReach = 32, kMaxBlurTaps = 2 * kMaxBlurReach + 1;
// Writes Q15 weights that sum to 1 and returns their number, which is odd. Weights must be below 1, so very
// narrow filters sum to less.
int makeBlurFilter(int16_t* weights, double sigma);

}  // namespace framewright
