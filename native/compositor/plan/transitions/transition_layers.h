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

// Whether transitionLayers() knows the frames of a transition, except of plain fades.
bool isMadeOfLayers(TransitionKind kind);
// Whether a transition only blends its sides, by opacity, a mask or such layers, and computes nothing from
// neighbouring samples or from the difference of both sides.
bool blendsSides(TransitionKind kind);

// A frame of a transition that only moves, scales or fades its sides: layers, bottom first. `style.kind`
// is kFade or one that isMadeOfLayers().
std::vector<TransitionLayer> transitionLayers(const TransitionStyle& style, double progress,
                                              const CanvasSize& canvas);

// A frame of kZoomBlur: passes of layers, bottom first, each drawn on an empty canvas. The last one is the
// frame.
std::vector<std::vector<TransitionLayer>> zoomBlurPasses(double progress, const CanvasSize& canvas);

}  // namespace framewright
