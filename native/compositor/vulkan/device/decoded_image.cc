#include "compositor/vulkan/device/decoded_image.h"

#include "compositor/vulkan/device/deep_device_image.h"

namespace framewright::gpu {
namespace {

class DecodedFramesOfDevice final : public DecodedFrameMemory {
 public:
  DecodedFramesOfDevice(std::shared_ptr<vulkan::Device> device, const SampleFormat& format)
      : device_(std::move(device)), format_(format) {}

  bool reads(int bits) const override {
    if (bits > 8) return format_.isDeep();
    return !format_.isDeep() || format_.curves()->keepsSdr();
  }

  Result<std::shared_ptr<const DeviceMemory>> allocate(int bits, int width, int height) const override {
    const PixelFormat format = bits > 8 ? PixelFormat::kP010 : PixelFormat::kNv12;
    FW_ASSIGN_OR_RETURN(const auto frame, SharedFrame::createDecoded(device_, format, width, height));
    return std::shared_ptr<const DeviceMemory>(frame);
  }

  Result<std::shared_ptr<const DeviceMemory>> import(const DmaBufFrame& frame) const override {
    FW_ASSIGN_OR_RETURN(const auto imported, SharedFrame::import(device_, frame));
    return std::shared_ptr<const DeviceMemory>(imported);
  }

 private:
  const std::shared_ptr<vulkan::Device> device_;
  const SampleFormat format_;
};

}  // namespace

DecodedImage::DecodedImage(ImagePtr frame, const SampleFormat& format)
    : frame_(std::move(frame)), format_(format) {
  const CanvasSize size{frame_->width(), frame_->height()};
  if (format_.isDeep()) {
    levels_ = deepLevelsOf(size, 0);
  } else {
    addPlanarLevels(size, (size.width + 1) / 2, (size.height + 1) / 2, false);
  }
}

double DecodedImage::chromaOffset() const { return chromaOffsetOf(frame_->siting); }

Result<PreparedImagePtr> DecodedImage::hostImage() const {
  if (host_ == nullptr) {
    FW_ASSIGN_OR_RETURN(ImagePtr downloaded, downloadImage(frame_));
    if (format_.isDeep()) {
      host_ = std::make_shared<DeepImage>(std::move(downloaded), format_.curves());
    } else {
      host_ = wrapImage(std::move(downloaded));
    }
  }
  return host_;
}

std::shared_ptr<const DecodedFrameMemory> createDecodedFrameMemory(std::shared_ptr<vulkan::Device> device,
                                                                   const SampleFormat& format) {
  return std::make_shared<DecodedFramesOfDevice>(std::move(device), format);
}

}  // namespace framewright::gpu
