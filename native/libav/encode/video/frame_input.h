#pragma once

#include "core/image.h"
#include "core/result.h"
#include "libav/av_handle.h"
#include "libav/hardware/interop/interop_backend.h"

namespace framewright {

// Makes the compositor's pictures what an encoder takes. Used by one thread.
class FrameInput {
 public:
  FrameInput() = default;
  // From memory: AV_PIX_FMT_YUV420P or AV_PIX_FMT_NV12.
  explicit FrameInput(AVPixelFormat format) : format_(format) {}
  // NV12 into a device's memory, of frames from `pool` (an AVHWFramesContext).
  explicit FrameInput(BufferPtr pool) : format_(AV_PIX_FMT_NV12), pool_(std::move(pool)) {}
  // Of pictures that stand on a graphics device.
  explicit FrameInput(std::shared_ptr<FrameInterop> interop)
      : format_(AV_PIX_FMT_NV12), interop_(std::move(interop)) {}

  // `image` is kI420, or kNv12 where that is what the encoder takes. One that comes again is not converted
  // again. Fails with OUT_OF_MEMORY or ENCODE_FAILED.
  Result<FramePtr> frame(const ImagePtr& image, int64_t pts);

  // For libav, without a copy; the image is let go of together with the frame.
  static Result<FramePtr> wrap(ImagePtr image, int64_t pts);

 private:
  Result<FramePtr> convert(const Image& image) const;
  Result<FramePtr> upload(const AVFrame& frame) const;

  AVPixelFormat format_ = AV_PIX_FMT_YUV420P;
  BufferPtr pool_;
  std::shared_ptr<FrameInterop> interop_;
  ImagePtr lastImage_;  // kept alive, so that no other picture can stand at its address
  FramePtr lastFrame_;
};

}  // namespace framewright
