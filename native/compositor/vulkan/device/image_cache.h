#pragma once

#include <memory>
#include <vector>

#include "compositor/vulkan/device/buffer_pool.h"
#include "compositor/vulkan/passes/frame_plan.h"

namespace framewright::gpu {

// LRU cache of images in device memory with a budget in bytes; evicted images are uploaded again when needed.
// Used by the composing thread.
class ImageCache {
 public:
  ImageCache(BufferPool& pool, uint64_t budget) : pool_(pool), budget_(budget) {}

  void beginFrame() { ++frame_; }
  // Adds the passes that make the image's first `levels` mip levels available to later passes.
  Status require(const std::shared_ptr<const DeviceImage>& image, int levels, FramePlan& plan);

  uint64_t bytes() const;
  size_t evictions() const { return evictions_; }

 private:
  static constexpr size_t kMaxImages = 2048;  // drivers limit the number of allocations
  void makeRoom(uint64_t bytes);
  void forgetGone();

  BufferPool& pool_;
  const uint64_t budget_;
  uint64_t frame_ = 0;
  size_t evictions_ = 0;
  std::vector<std::weak_ptr<const DeviceImage>> images_;
};

}  // namespace framewright::gpu
