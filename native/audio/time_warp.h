#pragma once

#include <cstdint>
#include <functional>

#include "core/result.h"

namespace framewright {

// Fills both channels with up to `count` samples of the input; returns fewer only at its end.
using SampleSource = std::function<Result<int64_t>(float* left, float* right, int64_t count)>;

// The input sample that is heard at an output sample: 0 at 0, ascending by 0.1 to 20.
using TimeWarp = std::function<double(double outputSample)>;

// The output samples that play this many input samples.
inline double outputLength(const TimeWarp& warp, double inputSamples) {
  double low = 0, high = 10 * inputSamples;
  for (int i = 0; i < 64 && high - low > 1e-3; ++i) {
    const double middle = (low + high) / 2;
    (warp(middle) < inputSamples ? low : high) = middle;
  }
  return high;
}

}  // namespace framewright
