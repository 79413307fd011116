#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "vulkan/buffer.h"

namespace framewright::gpu {

// Device buffers used again: pictures of a video come and go with every frame, and allocating is slow. A
// buffer is free once nobody holds it; frames in flight hold what they use. Any thread may let go.
class BufferPool {
 public:
  explicit BufferPool(std::shared_ptr<vulkan::Device> device) : device_(std::move(device)) {}

  // At least `bytes`, at most a quarter more; contents are undefined.
  Result<std::shared_ptr<vulkan::Buffer>> acquire(uint64_t bytes);
  // Gives what is free back to the device.
  void trim();

 private:
  static constexpr size_t kMostFree = 24;
  struct Free {
    std::mutex mutex;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers;
  };

  const std::shared_ptr<vulkan::Device> device_;
  const std::shared_ptr<Free> free_ = std::make_shared<Free>();
};

}  // namespace framewright::gpu
