#include "compositor/vulkan/device/buffer_pool.h"

namespace framewright::gpu {

Result<std::shared_ptr<vulkan::Buffer>> BufferPool::acquire(uint64_t bytes) {
  // Size granularity, so that images of similar size share buffers.
  constexpr uint64_t kStep = 64 * 1024;
  const uint64_t wanted = (bytes + kStep - 1) / kStep * kStep;
  std::shared_ptr<vulkan::Buffer> buffer;
  {
    std::lock_guard lock(free_->mutex);
    for (auto it = free_->buffers.begin(); it != free_->buffers.end(); ++it) {
      if ((*it)->size() < wanted || (*it)->size() > wanted + wanted / 4) continue;
      buffer = std::move(*it);
      free_->buffers.erase(it);
      break;
    }
  }
  if (buffer == nullptr) {
    FW_ASSIGN_OR_RETURN(buffer, vulkan::Buffer::create(device_, wanted, vulkan::MemoryUse::kDevice));
  }
  vulkan::Buffer* const lent = buffer.get();
  return std::shared_ptr<vulkan::Buffer>(
      lent, [free = std::weak_ptr<Free>(free_), buffer = std::move(buffer)](vulkan::Buffer*) mutable {
        const std::shared_ptr<Free> pool = free.lock();
        std::shared_ptr<vulkan::Buffer> oldest;  // freed outside the lock
        if (pool == nullptr) return;
        std::lock_guard lock(pool->mutex);
        pool->buffers.push_back(std::move(buffer));
        if (pool->buffers.size() <= kMaxFreeBuffers) return;
        oldest = std::move(pool->buffers.front());
        pool->buffers.erase(pool->buffers.begin());
      });
}

void BufferPool::trim() {
  std::vector<std::shared_ptr<vulkan::Buffer>> freed;
  std::lock_guard lock(free_->mutex);
  freed.swap(free_->buffers);
}

}  // namespace framewright::gpu
