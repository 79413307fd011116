#pragma once

#include <cstdint>

namespace framewright {

// One filter of an equalizer.
struct EqualizerBand {
  enum class Type : uint8_t { kLowShelf, kPeak, kHighShelf, kHighPass, kLowPass };

  Type type = Type::kPeak;
  double frequency = 1000;  // Hz, 20..20000
  double gain = 0;          // dB; not used by the passes
  double q = 0.7071;        // 0.1..10
};

}  // namespace framewright
