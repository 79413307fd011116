#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/equalizer_band.h"

namespace framewright {

// Second-order filters in series at 48 kHz stereo, without latency. Used by one thread.
class Equalizer {
 public:
  explicit Equalizer(std::span<const EqualizerBand> bands);

  // Changes the filters, as many as before; what they hold goes on.
  void set(std::span<const EqualizerBand> bands);
  // Filters `count` samples of both channels in place. Calls continue each other.
  void process(float* left, float* right, int64_t count);

 private:
  // Transposed direct form II.
  struct Filter {
    double b0 = 1, b1 = 0, b2 = 0, a1 = 0, a2 = 0;
    double state[2][2] = {};  // of each channel
  };

  static Filter filterOf(const EqualizerBand& band);

  std::vector<Filter> filters_;
};

}  // namespace framewright
