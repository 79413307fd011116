#pragma once

#include <memory>
#include <vector>

#include "compositor/vulkan/buffer_pool.h"
#include "compositor/vulkan/frame_plan.h"

namespace framewright::gpu {

// Keeps pictures on the device from frame to frame, within a budget: those not drawn for the longest time
// leave first and come back from the host when they are drawn again. Used by the composing thread.
class ResidentPictures {
 public:
  ResidentPictures(BufferPool& pool, uint64_t budget) : pool_(pool), budget_(budget) {}

  void beginFrame() { ++frame_; }
  // Sees to it that the picture's first `levels` versions are there before the plan's later passes.
  Status require(const std::shared_ptr<const DevicePicture>& picture, int levels, FramePlan& plan);

  uint64_t bytes() const;
  size_t evictions() const { return evictions_; }

 private:
  static constexpr size_t kMostPictures = 2048;  // drivers limit how many allocations there are
  void makeRoom(uint64_t bytes);
  void forgetGone();

  BufferPool& pool_;
  const uint64_t budget_;
  uint64_t frame_ = 0;
  size_t evictions_ = 0;
  std::vector<std::weak_ptr<const DevicePicture>> pictures_;
};

}  // namespace framewright::gpu
