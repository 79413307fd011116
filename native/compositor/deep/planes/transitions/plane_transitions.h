#pragma once

#include <memory>
#include <span>

#include "compositor/deep/eight_bit_drawing.h"
#include "compositor/deep/mask_weights.h"
#include "compositor/deep/planes/images/code_image.h"
#include "compositor/deep/planes/plane_list.h"
#include "compositor/deep/planes/transitions/frame_transitions.h"
#include "compositor/deep/planes/transitions/reused_pool.h"
#include "compositor/deep/planes/transitions/row_transitions.h"
#include "compositor/plan/transitions/transition_layers.h"
#include "compositor/plan/transitions/transition_styles.h"

namespace framewright {

// Draws transitions between two lists. Reuses its buffers; used by one thread.
class PlaneTransitions {
 public:
  PlaneTransitions(const CanvasCurves& curves, EightBitDrawing& eightBits);

  // Call before each frame; layers of the last one must be gone.
  void beginFrame() { masks_.used = frames_.used = patterns_.used = 0; }
  // Adds a transition, 0 < progress < 1. Fails for a luma image that the list lacks, or with OUT_OF_MEMORY.
  Status add(PlaneList& to, const Layer& layer, const TransitionStyle& style,
             std::span<const PreparedImagePtr> images, PlaneList from, PlaneList next);

 private:
  using CodeSides = std::array<std::shared_ptr<const CodeImage>, 2>;

  void addBlack(PlaneList& to, double opacity) const;
  // Composes both lists.
  Result<SampleSides> drawSides(PlaneList& from, PlaneList& next);
  Status addLayers(PlaneList& to, const std::vector<TransitionLayer>& layers, const CodeSides& sides,
                   const std::shared_ptr<const CodeImage>& previous);
  Status addZoomBlur(PlaneList& to, double progress, const CodeSides& sides);

  const CanvasCurves& curves_;
  const kernels::YcbcrScale scale_;
  EightBitDrawing& eightBits_;
  ReusedPool<MaskWeights> masks_;
  ReusedPool<LightPattern> patterns_;
  ReusedPool<std::shared_ptr<Image>> frames_;
};

}  // namespace framewright
