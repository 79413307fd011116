#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace framewright {

// Power of the steady noise in each frequency of successive spectra: the minimum of the smoothed power around
// a moment, because voices pause in each frequency. Used by one thread.
class NoiseFloor {
 public:
  // Frames on each side of a frame on which its estimate depends, beside the smoothing before.
  static constexpr int64_t kReach = 384;

  explicit NoiseFloor(size_t bins);

  // `isComplete` false: the frame lies partly outside the sound and does not count.
  void add(std::span<const float> power, bool isComplete);
  // Whether at(frame) is final.
  bool isKnown(int64_t frame) const;
  // Frames ascend. All frames are added, or isKnown(frame). 0 where there was digital silence only.
  std::span<const float> at(int64_t frame);

 private:
  void closeBlock();
  void estimate(int64_t block);

  std::vector<float> smoothed_, minimum_;  // of the block that is being added
  std::deque<std::vector<float>> minima_;  // of whole blocks
  int64_t firstBlock_ = 0;                 // of minima_
  int64_t count_ = 0, completeCount_ = 0;
  int64_t estimated_ = -1;  // block of target_
  std::vector<float> target_, noise_;
};

}  // namespace framewright
