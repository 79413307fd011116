#pragma once

#include "compositor/vulkan/device/device_image.h"
#include "compositor/vulkan/device/shared_frame.h"
#include "core/decoded_frame.h"

namespace framewright::gpu {

// A decoded frame of 8 bits that is in device memory already: a pass makes its planes there. Its host image
// is downloaded when the CPU draws it.
class DecodedImage final : public DeviceImage {
 public:
  // `frame` has a SharedFrame.
  explicit DecodedImage(ImagePtr frame);

  int width() const override { return frame_->width(); }
  int height() const override { return frame_->height(); }
  bool isOpaque() const override { return true; }
  double chromaOffset() const override;
  Result<PreparedImagePtr> hostImage() const override;
  const SharedFrame* frame() const override {
    return static_cast<const SharedFrame*>(frame_->deviceMemory().get());
  }
  void upload(uint8_t*) const override {}

 private:
  const ImagePtr frame_;
  mutable PreparedImagePtr host_;  // null: not downloaded
};

// Allocates decoded frames on a device and imports those of others; see core/device_memory.h.
std::shared_ptr<const DecodedFrameMemory> createDecodedFrameMemory(std::shared_ptr<vulkan::Device> device);

}  // namespace framewright::gpu
