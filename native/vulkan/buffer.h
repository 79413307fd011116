#pragma once

#include <memory>

#include "vulkan/device.h"

namespace framewright::vulkan {

// A storage buffer with its own memory allocation. Host-visible buffers stay mapped.
class Buffer {
 public:
  // Fails with OUT_OF_MEMORY, or GPU_FAILED if the size exceeds the limit of shaders. Memory with a `place`
  // other than kHost can be exported with exportFd().
  static Result<std::shared_ptr<Buffer>> create(std::shared_ptr<Device> device, uint64_t bytes, MemoryUse use,
                                                FramePlace place = FramePlace::kHost);
  // Imports the memory behind a DMA-BUF descriptor, which is duplicated, for shaders and copies. Fails with
  // OUT_OF_MEMORY, or GPU_FAILED if the device cannot import it.
  static Result<std::shared_ptr<Buffer>> import(std::shared_ptr<Device> device, int fd, uint64_t bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  VkBuffer handle() const { return buffer_; }
  uint64_t size() const { return size_; }
  // Null for device memory.
  uint8_t* mapped() const { return mapped_; }
  // Whether host reads are cached.
  bool isCached() const { return cached_; }
  // Makes host writes visible to the device, or device writes visible to the host.
  Status flush() const;
  Status invalidate() const;
  // Returns a new descriptor of the memory, of the kind given to create(); the caller owns it.
  Result<int> exportFd() const;
  FramePlace place() const { return place_; }
  uint64_t allocationSize() const { return allocated_; }

 private:
  Buffer(std::shared_ptr<Device> device, uint64_t bytes, FramePlace place)
      : device_(std::move(device)), size_(bytes), place_(place) {}
  Status allocate(MemoryUse use);
  Status importMemory(int fd);

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
