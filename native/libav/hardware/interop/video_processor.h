#pragma once

#include <memory>

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// The video processor of a VAAPI device, which copies surfaces. Used by one thread at a time.
class VideoProcessor {
 public:
  // For frames of one size. Fails with ENCODER_UNAVAILABLE if the driver has no video processor.
  static Result<std::unique_ptr<VideoProcessor>> open(AVBufferRef& device, int width, int height);
  virtual ~VideoProcessor() = default;
  // Starts the copy of a surface of this device, which the driver orders before later uses of `to`. Fails
  // with ENCODE_FAILED.
  virtual Status copy(const AVFrame& from, const AVFrame& to) = 0;
};

}  // namespace framewright
