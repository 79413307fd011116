#include "compositor/vulkan/records/chroma_filter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace framewright::gpu {
namespace {

constexpr int kUnitWeight = 1 << 14;  // of an AxisFilter

// A canvas pixel's share of a chroma sample.
struct Share {
  int pixel;
  double share;
};

}  // namespace

AxisFilter chromaFilter(const AxisFilter& pixels, const AxisCoverage& coverage, const SampleRange& samples,
                        const SampleRange& canvas, bool isAcross) {
  const auto taps = static_cast<size_t>(pixels.taps);
  // Calls visit(output of `pixels`, weight) for what a sample consists of.
  const auto forShares = [&](int sample, const auto& visit) {
    const int k = 2 * sample;
    const Share across[] = {{k - 1, 0.25}, {k, 0.5}, {k + 1, 0.25}},
                down[] = {{k, 0.5}, {k + 1, 0.5}, {k, 0}};
    for (const Share& part : isAcross ? across : down) {
      // Samples beside the canvas are not shown.
      const bool isBeside = k < canvas.first;
      const int pixel = std::clamp(part.pixel, isBeside ? 0 : canvas.first, canvas.end - 1);
      if (pixel < coverage.first || pixel >= coverage.end || part.share <= 0) continue;
      visit(static_cast<size_t>(pixel - coverage.first),
            part.share * coverage.at(pixel) / kernels::kFullWeight);
    }
  };
  AxisFilter filter;
  filter.count = samples.end - samples.first;
  int reach = 1;
  for (int sample = samples.first; sample < samples.end; ++sample) {
    int low = std::numeric_limits<int>::max(), high = std::numeric_limits<int>::min();
    forShares(sample, [&](size_t output, double) {
      low = std::min(low, pixels.firsts[output]);
      high = std::max(high, pixels.firsts[output] + pixels.taps);
    });
    filter.firsts.push_back(high > low ? low : 0);
    reach = std::max(reach, high > low ? high - low : 1);
  }
  filter.taps = (reach + 3) / 4 * 4;
  std::vector<double> sums(static_cast<size_t>(filter.taps));
  for (int sample = samples.first; sample < samples.end; ++sample) {
    std::fill(sums.begin(), sums.end(), 0.0);
    const int first = filter.firsts[static_cast<size_t>(sample - samples.first)];
    double total = 0;
    forShares(sample, [&](size_t output, double weight) {
      const auto start = static_cast<size_t>(pixels.firsts[output] - first);
      for (size_t t = 0; t < taps; ++t) sums[start + t] += weight * pixels.weights[output * taps + t];
      total += weight;
    });
    // The largest weight absorbs the rounding error, so that flat areas keep their value.
    int rest = static_cast<int>(std::lround(total * kUnitWeight));
    size_t largest = 0;
    const size_t at = filter.weights.size();
    for (size_t t = 0; t < sums.size(); ++t) {
      const auto weight = static_cast<int16_t>(std::lround(sums[t]));
      filter.weights.push_back(weight);
      rest -= weight;
      if (sums[t] > sums[largest]) largest = t;
    }
    filter.weights[at + largest] = static_cast<int16_t>(filter.weights[at + largest] + rest);
  }
  return filter;
}

}  // namespace framewright::gpu
