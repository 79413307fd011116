#pragma once

#include <memory>

#include "vulkan/device.h"

namespace framewright::vulkan {

// A storage buffer with memory of its own. Host-visible ones stay mapped.
class Buffer {
 public:
  // Fails with OUT_OF_MEMORY, or GPU_FAILED where the size is beyond what shaders can see. `place`: beyond
  // kHost its memory can be given to another interface by exportFd().
  static Result<std::shared_ptr<Buffer>> create(std::shared_ptr<Device> device, uint64_t bytes, MemoryUse use,
                                                FramePlace place = FramePlace::kHost);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  VkBuffer handle() const { return buffer_; }
  uint64_t size() const { return size_; }
  // Null for device memory.
  uint8_t* mapped() const { return mapped_; }
  // Whether the host reads it as fast as its own memory.
  bool isCached() const { return cached_; }
  // Makes what the host wrote visible to the device, or what the device wrote to the host.
  Status flush() const;
  Status invalidate() const;
  // A new descriptor of the memory, of the kind asked for; the caller owns it and gives it to whoever
  // imports.
  Result<int> exportFd() const;
  uint64_t allocationSize() const { return allocated_; }

 private:
  Buffer(std::shared_ptr<Device> device, uint64_t bytes, FramePlace place)
      : device_(std::move(device)), size_(bytes), place_(place) {}
  Status allocate(MemoryUse use);

  const std::shared_ptr<Device> device_;
  const uint64_t size_;
  const FramePlace place_;
  uint64_t allocated_ = 0;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  uint8_t* mapped_ = nullptr;
  bool coherent_ = true, cached_ = false;
};

}  // namespace framewright::vulkan
