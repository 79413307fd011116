#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "libav/decode/audio_decoder.h"
#include "timeline/effects.h"

namespace framewright {

// The samples of a media range at normal speed: its passes one after the other, forwards or backwards. One
// thread.
class MediaSamples {
 public:
  // `media` and `cancel` must outlive it. Fails as AudioDecoder::open().
  static Result<std::unique_ptr<MediaSamples>> open(const std::string& path, const MediaRange& media,
                                                    const CancelToken& cancel);

  // Skips samples ahead of the first read().
  Status skip(int64_t samples);
  // Fills both channels; returns less than `count` only after the last pass.
  Result<int64_t> read(float* left, float* right, int64_t count);

  // Whether there are more than this many samples, as far as the file declares its length.
  bool lastsLonger(int64_t samples) const;
  double lostSeconds() const { return decoder_->lostSeconds(); }

 private:
  MediaSamples(const MediaRange& media, std::unique_ptr<AudioDecoder> decoder);

  Result<int64_t> readPass(float* left, float* right, int64_t count);
  Result<int64_t> readBackwards(float* left, float* right, int64_t count);
  Status nextPass();
  Status seek();

  const MediaRange& media_;
  const std::unique_ptr<AudioDecoder> decoder_;
  int64_t in_ = 0, stop_ = 0;  // media samples of a pass; stop_ INT64_MAX: until the decoder ends
  int64_t declaredStop_ = 0;
  int64_t cursor_ = 0;  // next sample of the pass to read, from in_ on also when it plays backwards
  int passes_ = 0;
  bool hasEnded_ = false;
  std::vector<float> backLeft_, backRight_;  // of a reversed range, media samples from backFrom_ on
  int64_t backFrom_ = 0;
};

}  // namespace framewright
