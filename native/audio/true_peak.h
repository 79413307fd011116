#pragma once

#include <cstdint>
#include <vector>

namespace framewright {

// Finds how high one channel's wave rises between its samples, which is what a player's converter makes of
// them: four times oversampled, as ITU-R BS.1770 measures true peak. One thread.
class TruePeakDetector {
 public:
  // The peaks that come out lag the samples that go in by this many.
  static constexpr int kLatency = 8;

  TruePeakDetector();
  // Raises peaks[i] to the largest magnitude from the sample that entered kLatency samples ago up to the one
  // after it. Where that is certainly no more than `floor`, peaks[i] may be left as it is.
  void detect(const float* samples, int64_t count, float floor, float* peaks);

 private:
  void detectBlock(const float* samples, int count, float floor, float* peaks);

  std::vector<float> line_;  // the last samples of the call before, then the block
};

}  // namespace framewright
