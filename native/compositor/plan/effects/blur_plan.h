#pragma once

#include <cstddef>
#include <cstdint>

namespace framewright {

// A wide Gaussian blur as that many halvings, a narrower Gaussian of `sigma`, and as many doublings. Sigma 0:
// no visible blur.
struct BlurPlan {
  size_t halvings = 0;
  double sigma = 0;
};
BlurPlan planBlur(double sigma);

// Taps of the narrower Gaussian on either side of the middle one, and in total.
inline constexpr int kMaxBlurReach = 32, kMaxBlurTaps = 2 * kMaxBlurReach + 1;
// Writes Q15 weights that sum to 1 and returns how many there are, an odd number. Each weight is less than 1,
// which makes the sum of a very narrow filter fall short.
int makeBlurFilter(int16_t* weights, double sigma);

}  // namespace framewright
