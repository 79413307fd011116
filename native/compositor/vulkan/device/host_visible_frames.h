#pragma once

#include <memory>
#include <vector>

#include "compositor/vulkan/device/frame_layout.h"
#include "vulkan/buffer.h"

namespace framewright::gpu {

// Allocates frames in memory that the device writes and the host reads directly, without a copy. Used by one
// thread; frames may be released on any thread.
class HostVisibleFrames {
 public:
  explicit HostVisibleFrames(std::shared_ptr<vulkan::Device> device) : device_(std::move(device)) {}

  // Allocates in ordinary memory if the device has no cached host-visible memory or none is left.
  Result<std::shared_ptr<Image>> create(PixelFormat format, int width, int height);
  // The device buffer of a frame of this allocator; null for other frames.
  std::shared_ptr<vulkan::Buffer> memoryOf(const Image& frame);

 private:
  const std::shared_ptr<vulkan::Device> device_;
  std::vector<std::weak_ptr<vulkan::Buffer>> lent_;
};

}  // namespace framewright::gpu
