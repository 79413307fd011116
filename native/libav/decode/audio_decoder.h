#pragma once

#include <memory>
#include <string>

#include "core/cancel_token.h"
#include "core/result.h"

namespace framewright {

// Decodes a media file's audio to 48 kHz stereo float. Sample 0 is media time 0. Used by one thread.
class AudioDecoder {
 public:
  // Fails with MEDIA_UNREADABLE (also for a file without audio), MEDIA_UNSUPPORTED or DECODE_FAILED.
  static Result<std::unique_ptr<AudioDecoder>> open(const std::string& path, const CancelToken& cancel);
  virtual ~AudioDecoder() = default;

  // Makes the next read() start exactly at this sample.
  virtual Status seek(int64_t sample) = 0;
  // Fills both channels with up to `count` samples; returns fewer only at the end.
  virtual Result<int64_t> read(float* left, float* right, int64_t count) = 0;

  // Where the media ends: for a video file the end of its video, so that both loop together; for an audio
  // file its declared duration, although only the end of read() is exact.
  virtual int64_t endSample() const = 0;
  virtual bool endsWithVideo() const = 0;

  // Seconds of damaged packets so far, which are missing from what was read.
  virtual double lostSeconds() const = 0;
};

}  // namespace framewright
