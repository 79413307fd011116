#pragma once

#include <array>
#include <string_view>

#include "compositor/cpu/transition_color.h"
#include "compositor/cpu/transition_mask.h"
#include "compositor/vulkan/pattern_buffers.h"

namespace framewright::gpu {

// Two whole pictures and where one frame of the way between them is drawn; all have the same layout.
struct DeviceCrossing {
  double progress = 0;  // above 0, below 1
  const DeviceSurface& target;
  const DeviceSurface& from;
  const DeviceSurface& to;
};

// The transitions of compositor/cpu as passes. Weights and positions are the CPU's own; the shaders do its
// integer sums. Used by one thread.
class CrossingPasses {
 public:
  CrossingPasses(PatternBuffers& patterns, FramePlan& plan, const DeviceCrossing& crossing)
      : patterns_(patterns), plan_(plan), crossing_(crossing) {}

  // Over `from`; black is laid over the nearer of both.
  Status mask(const TransitionMask& mask);
  void fadeByDifference(FadeOrder order);
  void fadeByDistance();
  void squeeze(Axis axis);
  void pixelize();
  void blurAcross();

 private:
  CanvasSize canvas() const { return crossing_.target.layout.size(); }
  Pass passOver(Shader shader, const DeviceSurface& below, const DeviceSurface& above) const;
  // One for luma, then one for chroma, which `complete(pass, group, width, height)` adds to.
  template <class Complete>
  void addBoth(const Pass& pass, const Complete& complete);
  // Words for samples 0 … count - 1 and some beyond.
  uint32_t weightsOf(const AxisCoverage& coverage, int count);
  uint32_t axisWeights(const TransitionMask& mask, PlaneGroup group);

  PatternBuffers& patterns_;
  FramePlan& plan_;
  const DeviceCrossing& crossing_;
};

// A style that has passes of its own.
struct CrossedTransition {
  std::string_view name;
  void (*draw)(CrossingPasses& passes);
};
// Null for styles that have not.
const CrossedTransition* findCrossedTransition(std::string_view name);

}  // namespace framewright::gpu
