#pragma once

#include <memory>
#include <vector>

#include "compositor/cpu/crossing.h"
#include "compositor/vulkan/buffer_pool.h"
#include "compositor/vulkan/frame_plan.h"

namespace framewright::gpu {

// Patterns of transitions, worked out by the host once and kept on the device while they run. Used by the
// composing thread.
class PatternBuffers {
 public:
  explicit PatternBuffers(BufferPool& pool) : pool_(pool) {}

  // Words of a row of pixels, two to a word.
  static uint32_t stride(int width) { return static_cast<uint32_t>(width + 7) / 8 * 4; }
  // There before the plan's later passes.
  Result<const vulkan::Buffer*> require(PatternValue pattern, const CanvasSize& canvas, FramePlan& plan);
  // After a plan that was not carried out.
  void forget() { kept_.clear(); }

 private:
  static constexpr size_t kMostPatterns = 3;
  struct Kept {
    PatternValue pattern;
    int width, height;
    std::shared_ptr<vulkan::Buffer> buffer;
  };

  BufferPool& pool_;
  std::vector<Kept> kept_;  // the one used last is the last
  std::vector<uint16_t> steps_;
};

}  // namespace framewright::gpu
