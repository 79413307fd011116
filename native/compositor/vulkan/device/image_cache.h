#pragma once

#include <memory>
#include <vector>

#include "compositor/vulkan/device/buffer_pool.h"
#include "compositor/vulkan/passes/frame_plan.h"

namespace framewright::gpu {

// Keeps images in device memory between frames, within a budget in bytes: least recently used ones are
// evicted and uploaded again when needed. Used by the composing thread.
class ImageCache {
 public:
  ImageCache(BufferPool& pool, uint64_t budget) : pool_(pool), budget_(budget) {}

  void beginFrame() { ++frame_; }
  // Adds what makes the image's first `levels` mip levels available to later passes of the plan.
  Status require(const std::shared_ptr<const DeviceImage>& image, int levels, FramePlan& plan);

  uint64_t bytes() const;
  size_t evictions() const { return evictions_; }

 private:
  static constexpr size_t kMaxImages = 2048;  // drivers limit how many allocations there are
  void makeRoom(uint64_t bytes);
  void forgetGone();

  BufferPool& pool_;
  const uint64_t budget_;
  uint64_t frame_ = 0;
  size_t evictions_ = 0;
  std::vector<std::weak_ptr<const DeviceImage>> images_;
};

}  // namespace framewright::gpu
