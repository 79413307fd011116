#pragma once

#include <memory>

#include "compositor/compositor.h"
#include "core/canvas_color.h"

namespace framewright {

// How frames are composed that could be composed in planes: opaque ones whose layers are blended as signals.
enum class DeepPrecision {
  kPlanes,  // in planes of 16 bits, and in floats where layers have alpha or effects
  kFloats,  // all in floats, which defines what planes have to show
};

// Creates a compositor of high precision, which draws on the CPU. Its frames are kI010 in the canvas's
// colors, or with alpha kRgbaStraight. Stills are SDR; frames of videos are SDR of 8 bits, or kI010 in the
// canvas's colors. Never fails; any thread.
std::unique_ptr<Compositor> createDeepCompositor(const CanvasColor& color, bool hasAlpha,
                                                 DeepPrecision precision = DeepPrecision::kPlanes);

}  // namespace framewright
