#pragma once

#include <vector>

#include "compositor/plan/pixel_rect.h"
#include "compositor/plan/transitions/transition_styles.h"

namespace framewright {

// kBlack: a fill; kPrevious: the result of the previous pass.
enum class TransitionSide { kFrom, kTo, kBlack, kPrevious };

// One side of a transition as an image of canvas size.
struct TransitionLayer {
  TransitionSide side = TransitionSide::kFrom;
  Affine toCanvas;  // unit square of the side -> canvas pixels
  Rect window;      // canvas pixels
  double opacity = 1;
  bool extendsEdges =
      false;  // edge samples fill the window, so that adjacent sides are not attenuated at their border
};

// A frame of a transition that only moves, scales or fades its sides: layers, bottom first. `style.kind`
// is kFade, kWipe, kSlide, kCover, kReveal, kZoomIn or kPush.
std::vector<TransitionLayer> transitionLayers(const TransitionStyle& style, double progress,
                                              const CanvasSize& canvas);

// A frame of kZoomBlur: passes of layers, bottom first, each drawn on an empty canvas. The last one is the
// frame.
std::vector<std::vector<TransitionLayer>> zoomBlurPasses(double progress, const CanvasSize& canvas);

}  // namespace framewright
