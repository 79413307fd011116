#include <atomic>

#include "libav/encode/video/family.h"
#include "libav/hardware/interop/interop_backend.h"
#include "libav/hardware/interop/vaapi_surfaces.h"
#include "libav/hardware/interop/video_processor.h"

namespace framewright {
namespace {

// The encoder reads the DMA-BUF of a frame itself, or a copy that the device makes in memory of the driver's
// own layout: drivers may refuse to encode from linear memory.
class VaapiInterop final : public FrameInterop {
 public:
  Status open(const DeviceIdentity& device, int width, int height, bool copies) {
    FW_RETURN_IF_ERROR(surfaces_.open(device, width, height));
    if (!copies) return {};
    FW_ASSIGN_OR_RETURN(processor_, VideoProcessor::open(*surfaces_.device(), width, height));
    return {};
  }

  AVPixelFormat format() const override { return AV_PIX_FMT_VAAPI; }
  AVBufferRef* pool() const override { return surfaces_.pool(); }
  bool isInPlace() const override { return processor_ == nullptr; }
  int64_t copiedFrames() const override { return copiedFrames_; }

  Result<FramePtr> frame(const ImagePtr& image) override {
    FW_ASSIGN_OR_RETURN(const AVFrame* const surface, surfaces_.map(*image));
    FramePtr frame(av_frame_alloc());
    const int status = frame == nullptr        ? AVERROR(ENOMEM)
                       : processor_ == nullptr ? av_frame_ref(frame.get(), surface)
                                               : av_hwframe_get_buffer(pool(), frame.get(), 0);
    if (status < 0)
      return avError(ErrorCode::ENCODE_FAILED, "the device cannot allocate a frame for the encoder", status);
    if (processor_ != nullptr) {
      FW_RETURN_IF_ERROR(processor_->copy(*surface, *frame));
      ++copiedFrames_;
    }
    // The image is read while the encoder references the frame; a copy is complete once it has been encoded.
    frame->opaque_ref = makeImageReference(image);
    if (frame->opaque_ref == nullptr) return outOfMemory("frame");
    return frame;
  }

 private:
  VaapiSurfaces surfaces_;
  std::unique_ptr<VideoProcessor> processor_;  // null: without copies
  std::atomic<int64_t> copiedFrames_ = 0;
};

template <bool kCopies>
Result<std::unique_ptr<FrameInterop>> openVaapi(const DeviceIdentity& device, int width, int height) {
  auto interop = std::make_unique<VaapiInterop>();
  FW_RETURN_IF_ERROR(interop->open(device, width, height, kCopies));
  return std::unique_ptr<FrameInterop>(std::move(interop));
}

bool isVaapi(const EncoderFamily& family) { return family.device == AV_HWDEVICE_TYPE_VAAPI; }

}  // namespace

const InteropBackend kVaapiInterop{"vaapi", FramePlace::kDmaBuf, isVaapi, openVaapi<false>, true};
const InteropBackend kVaapiCopyInterop{"vaapi-copy", FramePlace::kDmaBuf, isVaapi, openVaapi<true>};

}  // namespace framewright
