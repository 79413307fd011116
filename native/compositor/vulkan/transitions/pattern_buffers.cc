#include "compositor/vulkan/transitions/pattern_buffers.h"

#include <algorithm>

namespace framewright::gpu {

Result<const vulkan::Buffer*> PatternBuffers::require(const TransitionPattern& pattern,
                                                      const CanvasSize& canvas, FramePlan& plan) {
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.pattern == pattern && entry.width == canvas.width && entry.height == canvas.height;
  });
  if (known != entries_.end()) {
    std::rotate(known, known + 1, entries_.end());
    plan.used.push_back(entries_.back().buffer);
    return entries_.back().buffer.get();
  }
  if (entries_.size() == kMaxPatterns) entries_.erase(entries_.begin());
  const uint32_t words = stride(canvas.width);
  const uint64_t bytes = uint64_t{words} * 4 * static_cast<uint64_t>(canvas.height);
  FW_ASSIGN_OR_RETURN(std::shared_ptr<vulkan::Buffer> buffer, pool_.acquire(bytes + kReadBeyond));
  pattern.fill(steps_, canvas);
  const uint32_t at = plan.tables.add(bytes / 4);
  const auto width = static_cast<size_t>(canvas.width);
  for (size_t y = 0; y < static_cast<size_t>(canvas.height); ++y) {
    const uint16_t* const row = steps_.data() + y * width;
    for (size_t x = 0; x < width; x += 2) {
      const uint32_t pair = row[x] | (x + 1 < width ? uint32_t{row[x + 1]} << 16 : 0);
      plan.tables.set(at + static_cast<uint32_t>(y * words + x / 2), static_cast<int32_t>(pair));
    }
  }
  Pass store{Shader::store, {}, buffer.get()};
  store.push = {at, words, static_cast<uint32_t>(canvas.height)};
  store.groups = groupsFor(static_cast<int>(words), canvas.height);
  plan.passes.push_back(std::move(store));
  plan.used.push_back(buffer);
  entries_.push_back({pattern, canvas.width, canvas.height, std::move(buffer)});
  return entries_.back().buffer.get();
}

}  // namespace framewright::gpu
