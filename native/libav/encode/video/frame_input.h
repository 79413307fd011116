#pragma once

#include "core/image.h"
#include "core/result.h"
#include "libav/av_handle.h"
#include "libav/hardware/interop/interop_backend.h"

namespace framewright {

// Converts the compositor's images to an encoder's input frames. Used by one thread.
class FrameInput {
 public:
  FrameInput() = default;
  // Outputs AV_PIX_FMT_YUV420P or AV_PIX_FMT_NV12 in host memory.
  explicit FrameInput(AVPixelFormat format) : format_(format) {}
  // Uploads NV12 into frames of `pool`, an AVHWFramesContext.
  explicit FrameInput(BufferPtr pool) : format_(AV_PIX_FMT_NV12), pool_(std::move(pool)) {}
  // Takes images in device memory.
  explicit FrameInput(std::shared_ptr<FrameInterop> interop)
      : format_(AV_PIX_FMT_NV12), interop_(std::move(interop)) {}

  // `image` is kI420, kI010 for encoders of 10 bits, or the encoder's own kNv12; a repeated image is
  // converted once. Fails with OUT_OF_MEMORY or ENCODE_FAILED.
  Result<FramePtr> frame(const ImagePtr& image, int64_t pts);

  // Wraps an image in host memory without a copy; the frame owns a reference to it.
  static Result<FramePtr> wrap(ImagePtr image, int64_t pts);

 private:
  Result<FramePtr> convert(const Image& image) const;
  Result<FramePtr> upload(const AVFrame& frame) const;

  AVPixelFormat format_ = AV_PIX_FMT_YUV420P;
  BufferPtr pool_;
  std::shared_ptr<FrameInterop> interop_;
  ImagePtr lastImage_;  // owned, so that its address stays unique
  FramePtr lastFrame_;
};

}  // namespace framewright
