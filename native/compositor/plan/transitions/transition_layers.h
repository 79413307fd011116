#pragma once

#include <array>

#include "compositor/plan/pixel_rect.h"
#include "compositor/plan/transitions/transition_styles.h"

namespace framewright {

enum class TransitionSide { kFrom, kTo };

// One side of a transition as an image of canvas size.
struct TransitionLayer {
  TransitionSide side = TransitionSide::kFrom;
  Affine toCanvas;  // unit square of the side -> canvas pixels
  Rect window;      // canvas pixels
  double opacity = 1;
  bool extendsEdges =
      false;  // edge samples fill the window, so that adjacent sides are not attenuated at their border
};

// A frame of a transition that only moves, scales or fades its sides: two layers, bottom first. `style.kind`
// is kFade, kWipe, kSlide, kCover, kReveal or kZoomIn.
std::array<TransitionLayer, 2> transitionLayers(const TransitionStyle& style, double progress,
                                                const CanvasSize& canvas);

}  // namespace framewright
