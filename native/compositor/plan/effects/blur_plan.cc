#include "compositor/plan/effects/blur_plan.h"

#include <algorithm>
#include <cmath>

#include "kernels/blur.h"

namespace framewright {
namespace {

constexpr double kMinSigma = 2;  // minimum sigma at reduced size, so that the sampling grid stays invisible
constexpr double kLevelVariance = 1.5;  // variance of one halving and doubling, in samples before it
constexpr double kMaxInvisibleSigma = 0.1;

}  // namespace

int makeBlurFilter(int16_t* weights, double sigma) {
  const int reach = std::min(kMaxBlurReach, std::max(1, static_cast<int>(std::ceil(3 * sigma))));
  double shares[kMaxBlurTaps], total = 0;
  for (int k = -reach; k <= reach; ++k) {
    shares[k + reach] = std::exp(-k * k / (2 * sigma * sigma));
    total += shares[k + reach];
  }
  int sum = 0;
  for (int t = 0; t <= 2 * reach; ++t) {
    weights[t] = static_cast<int16_t>(std::min(32767L, std::lround(shares[t] / total * kernels::kBlurUnit)));
    sum += weights[t];
  }
  weights[reach] = static_cast<int16_t>(std::min(32767, weights[reach] + kernels::kBlurUnit - sum));
  return 2 * reach + 1;
}

BlurPlan planBlur(double sigma) {
  BlurPlan plan;
  if (sigma < kMaxInvisibleSigma) return plan;
  double variance = sigma * sigma;
  while ((variance - kLevelVariance) / 4 >= kMinSigma * kMinSigma) {
    variance = (variance - kLevelVariance) / 4;
    ++plan.halvings;
  }
  plan.sigma = std::sqrt(variance);
  return plan;
}

}  // namespace framewright
