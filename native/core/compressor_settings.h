#pragma once

namespace framewright {

// Parameters of a compressor.
struct CompressorSettings {
  double threshold = -24;  // dBFS of the peaks, -60..0
  double ratio = 3;        // 1..100
  double attack = 0.005;   // s, 0.0001..1
  double release = 0.15;   // s, 0.005..5
  double knee = 6;         // dB, 0..24; half of it on each side of the threshold
  double makeup = 0;       // dB, 0..40

  friend bool operator==(const CompressorSettings&, const CompressorSettings&) = default;
};

}  // namespace framewright
