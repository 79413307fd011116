#pragma once

#include <memory>
#include <vector>

#include "compositor/plan/transitions/transition_masks.h"
#include "compositor/vulkan/device/buffer_pool.h"
#include "compositor/vulkan/passes/frame_plan.h"

namespace framewright::gpu {

// Mask patterns of transitions, computed by the host once and cached in device memory. Used by the composing
// thread.
class PatternBuffers {
 public:
  explicit PatternBuffers(BufferPool& pool) : pool_(pool) {}

  // Words of a row of pixels, two to a word.
  static uint32_t stride(int width) { return static_cast<uint32_t>(width + 7) / 8 * 4; }
  // Adds the upload to the plan if needed; later passes can read the buffer.
  Result<const vulkan::Buffer*> require(PatternValue pattern, const CanvasSize& canvas, FramePlan& plan);
  // Call after a plan that was not executed.
  void forget() { kept_.clear(); }

 private:
  static constexpr size_t kMaxPatterns = 3;
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
