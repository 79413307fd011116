#pragma once

#include "compositor/vulkan/device/device_image.h"
#include "compositor/vulkan/device/sample_format.h"
#include "compositor/vulkan/device/shared_frame.h"
#include "core/decoded_frame.h"

namespace framewright::gpu {

// A decoded frame that is in device memory already: a pass makes its planes there, as bytes or as codes of 10
// bits. Its host image is downloaded when the CPU draws it.
class DecodedImage final : public DeviceImage {
 public:
  // `frame` has a SharedFrame that decodedFrameMemory() of this format reads.
  DecodedImage(ImagePtr frame, const SampleFormat& format);

  int width() const override { return frame_->width(); }
  int height() const override { return frame_->height(); }
  bool isOpaque() const override { return true; }
  double chromaOffset() const override;
  Result<PreparedImagePtr> hostImage() const override;
  const SharedFrame* frame() const override {
    return static_cast<const SharedFrame*>(frame_->deviceMemory().get());
  }
  bool hasBytes() const override { return frame_->format() == PixelFormat::kNv12; }
  void upload(uint8_t*) const override {}

 private:
  const ImagePtr frame_;
  const SampleFormat format_;
  mutable PreparedImagePtr host_;  // null: not downloaded
};

// Allocates decoded frames for compositors with this format, and imports those of other APIs; see
// core/device_memory.h.
std::shared_ptr<const DecodedFrameMemory> createDecodedFrameMemory(std::shared_ptr<vulkan::Device> device,
                                                                   const SampleFormat& format);

}  // namespace framewright::gpu
