#pragma once

#include <memory>

#include "compositor/vulkan/device/buffer_pool.h"
#include "compositor/vulkan/passes/frame_plan.h"

namespace framewright::gpu {

// The most recently used tile of grain in device memory. Used by the composing thread.
class GrainBuffer {
 public:
  explicit GrainBuffer(BufferPool& pool) : pool_(pool) {}

  // Adds the upload of grainTile(size) to the plan if needed; later passes can read the buffer.
  Result<const vulkan::Buffer*> require(int size, FramePlan& plan);
  // Call after a plan that was not executed.
  void clear() { tile_.reset(); }

 private:
  BufferPool& pool_;
  std::shared_ptr<vulkan::Buffer> tile_;
  int size_ = 0;
};

}  // namespace framewright::gpu
