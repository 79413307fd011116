#pragma once

#include <memory>

#include "compositor/vulkan/device/frame_layout.h"
#include "vulkan/buffer.h"

namespace framewright::gpu {

// A frame in exportable device memory.
class SharedFrame final : public DeviceMemory {
 public:
  static Result<std::shared_ptr<Image>> create(const std::shared_ptr<vulkan::Device>& device,
                                               FramePlace place, int width, int height);

  // A frame of kNv12 or kP010 that another API fills.
  static Result<std::shared_ptr<SharedFrame>> createDecoded(const std::shared_ptr<vulkan::Device>& device,
                                                            PixelFormat format, int width, int height);
  // The linear frame of another API, without a copy; see DecodedFrameMemory::import().
  static Result<std::shared_ptr<SharedFrame>> import(const std::shared_ptr<vulkan::Device>& device,
                                                     const DmaBufFrame& frame);

  Result<int> exportFd() const override { return buffer_->exportFd(); }
  uint64_t bytes() const override { return buffer_->allocationSize(); }
  Status fill(const Image& image) const override;
  Status read(const Image& to) const override;
  const std::shared_ptr<vulkan::Device>& device() const { return device_; }
  const std::shared_ptr<vulkan::Buffer>& buffer() const { return buffer_; }

 private:
  SharedFrame(std::shared_ptr<vulkan::Device> device, std::shared_ptr<vulkan::Buffer> buffer,
              const FrameLayout& layout);
  SharedFrame(std::shared_ptr<vulkan::Device> device, std::shared_ptr<vulkan::Buffer> buffer,
              const DmaBufFrame& frame);

  static DeviceMemory::Rows rowsOf(const FrameLayout& layout, int plane);

  const std::shared_ptr<vulkan::Device> device_;
  const std::shared_ptr<vulkan::Buffer> buffer_;
  const FrameLayout layout_;  // of frames that were allocated here
};

}  // namespace framewright::gpu
