#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "vulkan/buffer.h"

namespace framewright::gpu {

// Recycles device buffers: every video frame needs one, and allocation is slow. A buffer returns to the pool
// when its last reference is released, on any thread; frames in flight own references to what they use.
class BufferPool {
 public:
  explicit BufferPool(std::shared_ptr<vulkan::Device> device) : device_(std::move(device)) {}

  // Returns an uninitialised buffer of at least `bytes`, at most a quarter more.
  Result<std::shared_ptr<vulkan::Buffer>> acquire(uint64_t bytes);
  // Frees unused buffers.
  void trim();

 private:
  static constexpr size_t kMaxFreeBuffers = 24;
  struct Free {
    std::mutex mutex;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers;
  };

  const std::shared_ptr<vulkan::Device> device_;
  const std::shared_ptr<Free> free_ = std::make_shared<Free>();
};

}  // namespace framewright::gpu
