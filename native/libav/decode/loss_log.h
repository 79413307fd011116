#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "libav/decode/video_decoder.h"

namespace framewright {

// What is lost of a damaged video, by the distances between its frames. Times in microseconds.
class LossLog {
 public:
  // Damaged data has been read: the next frames may follow lost ones.
  void noteDamage() { suspectFrames_ = kMaxDelayedFrames; }
  // Decoding starts anew.
  void forgetDamage() { suspectFrames_ = 0; }
  bool isSuspect() const { return suspectFrames_ > 0; }

  // A frame at `timeUs` follows one at `beforeUs`; `frameUs`: the usual distance. After damage, a larger one
  // is a loss.
  void addFrame(int64_t beforeUs, int64_t timeUs, int64_t frameUs) {
    const int64_t distanceUs = timeUs - beforeUs;
    const bool isGap = distanceUs > frameUs + frameUs / 2;
    if (isGap && !gapUs_) gapUs_ = beforeUs;
    if (suspectFrames_ <= 0) return;
    --suspectFrames_;
    if (isGap) addLoss(timeUs, distanceUs - frameUs);
  }

  // Counts a loss that ends at `timeUs`; one that is decoded again counts once.
  void addLoss(int64_t timeUs, int64_t lostUs) {
    if (lostUs <= 0 || timeUs <= countedUs_) return;
    countedUs_ = timeUs;
    faults_.lostUs += lostUs;
  }

  // The frame before the first gap since the last call.
  std::optional<int64_t> takeGap() { return std::exchange(gapUs_, std::nullopt); }
  DecodeFaults takeFaults() { return std::exchange(faults_, {}); }

 private:
  static constexpr int kMaxDelayedFrames = 32;  // that a decoder outputs after it has read damaged data

  int suspectFrames_ = 0;  // frames to come that may follow lost ones
  std::optional<int64_t> gapUs_;
  int64_t countedUs_ = INT64_MIN;
  DecodeFaults faults_;
};

}  // namespace framewright
