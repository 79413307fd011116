#pragma once

#include <memory>
#include <vector>

#include "compositor/vulkan/device/frame_layout.h"
#include "vulkan/buffer.h"

namespace framewright::gpu {

// Frames whose samples stand where the device writes and the host reads, so that nobody copies them. Used by
// one thread; any may let go of a frame.
class HostVisibleFrames {
 public:
  explicit HostVisibleFrames(std::shared_ptr<vulkan::Device> device) : device_(std::move(device)) {}

  // In plain memory where the device has none that the host reads fast, or none left.
  Result<std::shared_ptr<Image>> create(PixelFormat format, int width, int height);
  // The memory of a frame that came from here; null of others.
  std::shared_ptr<vulkan::Buffer> memoryOf(const Image& frame);

 private:
  const std::shared_ptr<vulkan::Device> device_;
  std::vector<std::weak_ptr<vulkan::Buffer>> lent_;
};

}  // namespace framewright::gpu
