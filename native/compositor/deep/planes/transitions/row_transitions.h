#pragma once

#include <memory>

#include "compositor/deep/canvas_curves.h"
#include "compositor/deep/planes/plane_list.h"
#include "compositor/plan/transitions/transition_light.h"
#include "compositor/plan/transitions/transition_steps.h"

// Transitions whose rows depend on the same rows of both sides; 0 < progress < 1.
namespace framewright {

// Fades luma, and chroma through grey.
std::unique_ptr<PlaneLayer> grayFadeLayer(PlaneList from, PlaneList to, double progress);
std::unique_ptr<PlaneLayer> differenceFadeLayer(PlaneList from, PlaneList to, double progress,
                                                FadeOrder order);
std::unique_ptr<PlaneLayer> distanceLayer(PlaneList from, PlaneList to, double progress);
// Fades, then averages neighbours of a row.
std::unique_ptr<PlaneLayer> blurredFadeLayer(PlaneList from, PlaneList to, double progress);

// Shifts rows and blocks of both sides.
std::unique_ptr<PlaneLayer> glitchLayer(PlaneList from, PlaneList to, double progress);

// The pattern of a light for a canvas, reused by later frames.
struct LightPattern {
  PatternValue of = nullptr;
  CanvasSize size;
  std::vector<uint16_t> values;
};
// `pattern` must outlive the layer.
std::unique_ptr<PlaneLayer> lightLayer(PlaneList from, PlaneList to, TransitionLight light,
                                       LightPattern& pattern, const CanvasCurves& curves);

}  // namespace framewright
