#pragma once

#include <span>

#include "compositor/deep/draw_image.h"
#include "compositor/deep/eight_bit_drawing.h"
#include "compositor/deep/mask_weights.h"
#include "compositor/deep/planes/transitions/plane_transitions.h"
#include "compositor/plan/transitions/transition_layers.h"
#include "compositor/plan/transitions/transition_steps.h"
#include "compositor/plan/transitions/transition_styles.h"

namespace framewright {

// Draws transitions between two frames. Reuses its buffers; used by one thread.
class DeepTransitionDrawer {
 public:
  DeepTransitionDrawer(const CanvasCurves& curves, EightBitDrawing& eightBits, PlaneTransitions& planes)
      : curves_(curves), eightBits_(eightBits), planes_(planes), images_(curves.color()) {}

  // Draws a frame of a transition layer over `frame`. The sides have the frame's size and channels, and may
  // be used up.
  Status draw(FloatImage& frame, const Layer& layer, const TransitionStyle& style,
              std::span<const PreparedImagePtr> images, FloatImage& from, FloatImage& to);

 private:
  void drawMask(FloatImage& frame, const TransitionMask& mask, const FloatImage& to);
  Status drawLayers(FloatImage& frame, const std::vector<TransitionLayer>& layers, FloatImage& from,
                    FloatImage& to);

  // Draws a transition that has no float version in planes.
  Status drawPlanes(FloatImage& frame, const Layer& layer, const TransitionStyle& style,
                    std::span<const PreparedImagePtr> images, FloatImage& from, FloatImage& to);

  const CanvasCurves& curves_;
  EightBitDrawing& eightBits_;
  PlaneTransitions& planes_;
  DeepImageDrawer images_;
  MaskWeights weights_;
};

}  // namespace framewright
