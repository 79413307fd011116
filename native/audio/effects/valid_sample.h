#pragma once

#include <algorithm>
#include <cmath>

namespace framewright {

// A sample as effects with state accept it: within 120 dB above full scale; 0 if it is not finite.
inline float validSample(float sample) {
  constexpr float kMaxSample = 1e6f;
  return std::isfinite(sample) ? std::clamp(sample, -kMaxSample, kMaxSample) : 0;
}

}  // namespace framewright
