#pragma once

#include <memory>
#include <string>

#include "core/cancel_token.h"
#include "core/result.h"

namespace framewright {

// The sound of a media file as 48 kHz stereo float, one sample clock from the media's zero. Used by one
// thread.
class AudioDecoder {
 public:
  // Fails with MEDIA_UNREADABLE (also for a file without sound), MEDIA_UNSUPPORTED or DECODE_FAILED.
  static Result<std::unique_ptr<AudioDecoder>> open(const std::string& path, const CancelToken& cancel);
  virtual ~AudioDecoder() = default;

  // The next read() starts exactly at this sample.
  virtual Status seek(int64_t sample) = 0;
  // Fills both channels with up to `count` samples; fewer only at the end, 0 from then on.
  virtual Result<int64_t> read(float* left, float* right, int64_t count) = 0;

  // Where the media ends. For a video file that is the end of its picture, so that sound and picture loop
  // together; for a sound file what it declares, and where read() stops is exact.
  virtual int64_t endSample() const = 0;
  virtual bool endsWithVideo() const = 0;
};

}  // namespace framewright
