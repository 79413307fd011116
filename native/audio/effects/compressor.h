#pragma once

#include <cstdint>

#include "core/compressor_settings.h"

namespace framewright {

// Feed-forward peak compressor with a soft knee for 48 kHz stereo, without latency. Both channels have the
// gain of the louder one. Used by one thread.
class Compressor {
 public:
  explicit Compressor(const CompressorSettings& settings);

  // Processes `count` finite samples of both channels in place. Calls continue each other.
  void process(float* left, float* right, int64_t count);

  // After that many samples the result no longer depends on those before.
  static int64_t settlingSamples(const CompressorSettings& settings);

 private:
  double reductionAt(double decibels) const;

  const double threshold_, knee_, slope_, makeup_;
  const double attack_, release_;  // share of the state that remains after a sample
  double peak_ = 0;                // reduction in dB, with instant attack
  double reduction_ = 0;           // of the last sample, in dB
};

}  // namespace framewright
