#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "audio/time_stretch.h"
#include "core/cancel_token.h"
#include "core/result.h"
#include "libav/decode/audio_decoder.h"
#include "render/render.h"
#include "timeline/timeline.h"

namespace framewright {

// The samples of one audio clip in movie time, looped and with gain and fades applied. One thread.
class ClipAudio {
 public:
  // All references must outlive it. Opens nothing before the first add().
  ClipAudio(const Timeline& timeline, const AudioClip& clip, const CancelToken& cancel);

  int64_t startSample() const { return start_; }
  int64_t endSample() const { return end_; }

  // Adds the clip's part of the movie samples [sample, sample + count) to the sums. Calls ascend without
  // gaps, from any sample on. Errors name the source's label.
  Status add(int64_t sample, int64_t count, float* sumLeft, float* sumRight);

  // Adds what could not be decoded so far, if anything.
  void addFaults(std::vector<SourceFaults>& faults) const;

 private:
  Status addUnlabelled(int64_t sample, int64_t count, float* sumLeft, float* sumRight);
  Status open();
  Status skip(int64_t samples);
  Status skipSource(int64_t samples);
  // Samples at the clip's speed, and those of the source.
  Result<int64_t> read(float* left, float* right, int64_t count);
  Result<int64_t> readSource(float* left, float* right, int64_t count);
  Status nextPass();
  float gainAt(int64_t clipSample) const;
  void mix(int64_t clipSample, int64_t count, float* sumLeft, float* sumRight) const;

  const Timeline& timeline_;
  const AudioClip& clip_;
  const CancelToken& cancel_;
  const int64_t start_, end_;
  std::unique_ptr<AudioDecoder> decoder_;
  std::unique_ptr<TimeStretch> stretch_;  // nullptr: at normal speed
  std::vector<float> left_, right_;
  int64_t in_ = 0, stop_ = 0;  // media samples of a pass; stop_ INT64_MAX: until the decoder ends
  int64_t cursor_ = 0;         // next media sample to read
  int passes_ = 0;
  bool hasEnded_ = false;
  bool cutsIn_ = false, cutsOut_ = false;  // starts or stops inside the media, where a step would click
};

}  // namespace framewright
