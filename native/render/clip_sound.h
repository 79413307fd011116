#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "libav/decode/audio_decoder.h"
#include "timeline/timeline.h"

namespace framewright {

// One audio clip's samples on the movie's clock, with its passes, gain and fades. One thread.
class ClipSound {
 public:
  // All references must outlive it. Nothing is opened before the first add().
  ClipSound(const Timeline& timeline, const AudioClip& clip, const CancelToken& cancel);

  int64_t startSample() const { return start_; }
  int64_t endSample() const { return end_; }

  // Adds what is heard in [sample, sample + count) to the sum. Calls go forward without gaps, from any sample
  // on. Errors name the source's label.
  Status add(int64_t sample, int64_t count, float* sumLeft, float* sumRight);

 private:
  Status open();
  Status skip(int64_t samples);
  Result<int64_t> read(float* left, float* right, int64_t count);
  Status nextPass();
  float gainAt(int64_t clipSample) const;
  void mix(int64_t clipSample, int64_t count, float* sumLeft, float* sumRight) const;

  const Timeline& timeline_;
  const AudioClip& clip_;
  const CancelToken& cancel_;
  const int64_t start_, end_;
  std::unique_ptr<AudioDecoder> decoder_;
  std::vector<float> left_, right_;
  int64_t in_ = 0, stop_ = 0;  // media samples of a pass; stop_ INT64_MAX: where the sound ends by itself
  int64_t cursor_ = 0;         // media sample read next
  int passes_ = 0;
  bool ended_ = false;
  bool cutIn_ = false, cutOut_ = false;  // starts or stops in the middle of its sound
};

}  // namespace framewright
