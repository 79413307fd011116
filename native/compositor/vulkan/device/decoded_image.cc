#include "compositor/vulkan/device/decoded_image.h"

namespace framewright::gpu {
namespace {

class DecodedFramesOfDevice final : public DecodedFrameMemory {
 public:
  explicit DecodedFramesOfDevice(std::shared_ptr<vulkan::Device> device) : device_(std::move(device)) {}

  Result<std::shared_ptr<const DeviceMemory>> allocate(int width, int height) const override {
    FW_ASSIGN_OR_RETURN(const auto image, SharedFrame::create(device_, FramePlace::kOpaque, width, height));
    return image->deviceMemory();
  }

  Result<std::shared_ptr<const DeviceMemory>> import(const DmaBufFrame& frame) const override {
    FW_ASSIGN_OR_RETURN(const auto imported, SharedFrame::import(device_, frame));
    return std::shared_ptr<const DeviceMemory>(imported);
  }

 private:
  const std::shared_ptr<vulkan::Device> device_;
};

}  // namespace

DecodedImage::DecodedImage(ImagePtr frame) : frame_(std::move(frame)) {
  addPlanarLevels({.width = frame_->width(), .height = frame_->height()}, (frame_->width() + 1) / 2,
                  (frame_->height() + 1) / 2, false);
}

double DecodedImage::chromaOffset() const { return chromaOffsetOf(frame_->siting); }

Result<PreparedImagePtr> DecodedImage::hostImage() const {
  if (host_ == nullptr) {
    FW_ASSIGN_OR_RETURN(ImagePtr downloaded, downloadImage(frame_));
    host_ = wrapImage(std::move(downloaded));
  }
  return host_;
}

std::shared_ptr<const DecodedFrameMemory> createDecodedFrameMemory(std::shared_ptr<vulkan::Device> device) {
  return std::make_shared<DecodedFramesOfDevice>(std::move(device));
}

}  // namespace framewright::gpu
