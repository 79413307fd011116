#pragma once

#include <cstdint>
#include <vector>

namespace framewright {

// True peak of one channel by ITU-R BS.1770: the maximum of the waveform between samples, from 4x
// oversampling. Not thread-safe.
class TruePeakDetector {
 public:
  // The output lags the input by this many samples.
  static constexpr int kLatency = 8;

  TruePeakDetector();
  // Raises peaks[i] to the maximum magnitude between the sample kLatency samples ago and the next one.
  // peaks[i] may stay unchanged if that magnitude is certainly at most `floor`.
  void detect(const float* samples, int64_t count, float floor, float* peaks);

 private:
  void detectBlock(const float* samples, int count, float floor, float* peaks);

  std::vector<float> line_;  // the last samples of the previous call, then the block
};

}  // namespace framewright
