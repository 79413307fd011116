#pragma once

#include <memory>

#include "vulkan/device.h"

namespace framewright::vulkan {

// A timeline semaphore that other APIs can import. Its value starts at 0. Any thread.
class Timeline {
 public:
  // Fails with GPU_FAILED if the device exports no timeline semaphores, or with OUT_OF_MEMORY.
  static Result<std::shared_ptr<Timeline>> create(std::shared_ptr<Device> device);
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  VkSemaphore handle() const { return semaphore_; }
  // Returns a new opaque descriptor; the caller owns it.
  Result<int> exportFd() const;
  // Blocks the calling thread until the value is reached; returns whether it was within `nanoseconds`.
  Result<bool> wait(uint64_t value, uint64_t nanoseconds) const {
    return device_->wait(semaphore_, value, nanoseconds);
  }
  // Signals the value in place of a device that no longer does. Returns at once if it is already reached.
  void signalByHost(uint64_t value) const;

 private:
  explicit Timeline(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  const std::shared_ptr<Device> device_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
};

}  // namespace framewright::vulkan
