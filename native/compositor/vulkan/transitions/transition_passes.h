#pragma once

#include "compositor/plan/transitions/transition_steps.h"
#include "compositor/plan/transitions/transition_styles.h"
#include "compositor/vulkan/device/sample_format.h"
#include "compositor/vulkan/transitions/pattern_buffers.h"

namespace framewright::gpu {

// One frame of a transition between two complete surfaces; all three have the same layout. Borrowed.
struct DeviceTransition {
  double progress = 0;  // between 0 and 1, exclusive
  const SampleFormat& format;
  const DeviceSurface& target;
  const DeviceSurface& from;
  const DeviceSurface& to;
  LumaWipe wipe{};  // kLuma, with its image
  std::shared_ptr<const PlanarImage> luma = nullptr;
};

// Whether a kind is drawn as layers (plan/transitions/transition_layers.h, and fades through a colour)
// instead of by dedicated passes.
bool isDrawnAsLayers(TransitionKind kind);

// Transitions as compute passes. Weights and positions come from compositor/plan; the shaders do the integer
// arithmetic of the CPU compositor. Used by one thread.
class TransitionPasses {
 public:
  TransitionPasses(PatternBuffers& patterns, FramePlan& plan, const DeviceTransition& transition)
      : patterns_(patterns), plan_(plan), transition_(transition) {}

  // Adds the passes of a style that is not drawn as layers.
  Status draw(const TransitionStyle& style);

 private:
  CanvasSize canvas() const { return transition_.target.layout.size(); }
  Status mask(const TransitionMask& mask);
  void fadeByDifference(FadeOrder order);
  void fadeByDistance();
  void squeeze(Axis axis);
  void pixelize();
  void blurHorizontally();
  void panWithBlur(Heading heading);
  void glitch();
  void curl(Heading heading);
  Status light(const TransitionLight& light);

  Pass passOver(Shader shader, const DeviceSurface& below, const DeviceSurface& above) const;
  // Adds a pass for luma and one for chroma; `complete(pass, group, width, height)` sets their differences.
  template <class Complete>
  void addBoth(const Pass& pass, const Complete& complete);
  // Writes the weights of samples 0 … count - 1 to the tables, padded.
  uint32_t weightsOf(const AxisCoverage& coverage, int count);
  uint32_t axisWeights(const TransitionMask& mask, PlaneGroup group);

  PatternBuffers& patterns_;
  FramePlan& plan_;
  const DeviceTransition& transition_;
};

}  // namespace framewright::gpu
