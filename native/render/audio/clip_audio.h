#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "audio/effects/clip_limiter.h"
#include "audio/effects/denoiser.h"
#include "audio/effects/effect_chain.h"
#include "audio/time_stretch.h"
#include "audio/varispeed.h"
#include "core/cancel_token.h"
#include "core/result.h"
#include "render/audio/media_samples.h"
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
  // A span of the clip during which its media stands still, in samples.
  struct Hold {
    int64_t start = 0, end = 0;
  };

  static std::vector<Hold> holdsOf(const SpeedCurve& speed);
  Status addUnlabelled(int64_t sample, int64_t count, float* sumLeft, float* sumRight);
  Status open();
  void startAt(int64_t sample);
  void followPitch(int64_t sample, double scale);
  // Factor of all frequencies at a sample without those of holds.
  double pitchScaleAt(double played) const;
  std::vector<EqualizerBand> bandsAt(double frame) const;
  // Steps are aligned to the clip, so that the result does not depend on the block size.
  void applyEffects(int64_t sample, float* left, float* right, int64_t count);
  double mediaSample(double sample) const;
  Status skip(int64_t samples);
  Status skipMedia(int64_t samples);
  int64_t playedBefore(int64_t sample) const;
  // Samples of the clip from `sample` on, and those at its speed without holds.
  Result<int64_t> read(int64_t sample, float* left, float* right, int64_t count);
  Result<int64_t> readLimited(int64_t sample, float* left, float* right, int64_t count);
  Result<int64_t> readWithEffects(int64_t sample, float* left, float* right, int64_t count);
  Result<int64_t> readMedia(float* left, float* right, int64_t count);
  Result<int64_t> readPlayed(float* left, float* right, int64_t count);
  void fadeAtHolds(int64_t sample, float* left, float* right, int64_t count) const;
  // Steps are aligned to the clip, so that the result does not depend on the block size.
  void balance(int64_t clipSample, int64_t count);
  double frameAt(int64_t clipSample) const;
  float gainAt(int64_t clipSample) const;
  float cutRamp(int64_t clipSample) const;
  float tailRamp(int64_t clipSample) const;
  bool hasTail() const { return effects_.tailSamples() > 0; }
  void mix(int64_t clipSample, int64_t count, float* sumLeft, float* sumRight) const;

  const Timeline& timeline_;
  const AudioClip& clip_;
  const CancelToken& cancel_;
  const int64_t start_, mediaEnd_;
  std::unique_ptr<MediaSamples> source_;
  std::unique_ptr<Denoiser> denoiser_;  // none: no denoise
  const std::vector<Hold> holds_;
  const SpeedCurve speed_;  // without the holds
  const bool isPitched_;
  // Both only at a changing speed with the pitch shifted: then stretch_ reads from varispeed_.
  std::unique_ptr<TimeStretch> stretch_;
  std::unique_ptr<Varispeed> varispeed_;
  EffectChain effects_;
  std::unique_ptr<ClipLimiter> limiter_;  // none: no limiter, or nothing was read
  int64_t limitedUntil_ = 0;              // sample of the clip up to which it has read
  const int64_t end_;                     // of what is heard: the media and the tail of the effects
  std::vector<float> left_, right_;
  bool cutsIn_ = false, cutsOut_ = false;  // starts or stops inside the media, where a step would click
};

}  // namespace framewright
