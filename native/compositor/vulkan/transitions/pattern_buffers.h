#pragma once

#include <memory>
#include <vector>

#include "compositor/plan/transitions/transition_pattern.h"
#include "compositor/vulkan/device/buffer_pool.h"
#include "compositor/vulkan/passes/frame_plan.h"

namespace framewright::gpu {

// Cache of transition mask patterns in device memory, computed on the host. Used by the composing thread.
class PatternBuffers {
 public:
  explicit PatternBuffers(BufferPool& pool) : pool_(pool) {}

  // Words per row of pixels, two pixels per word.
  static uint32_t stride(int width) { return static_cast<uint32_t>(width + 7) / 8 * 4; }
  // Adds the upload to the plan if needed; later passes can read the buffer.
  Result<const vulkan::Buffer*> require(const TransitionPattern& pattern, const CanvasSize& canvas,
                                        FramePlan& plan);
  // Call after a plan that was not executed.
  void clear() { entries_.clear(); }

 private:
  static constexpr size_t kMaxPatterns = 3;
  struct Entry {
    TransitionPattern pattern;
    int width, height;
    std::shared_ptr<vulkan::Buffer> buffer;
  };

  BufferPool& pool_;
  std::vector<Entry> entries_;  // most recently used last
  std::vector<uint16_t> steps_;
};

}  // namespace framewright::gpu
