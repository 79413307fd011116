#pragma once

#include "kernels/straight.h"
#include "timeline/effects.h"

namespace framewright {

// The distances from the key colour between which a chroma key goes from hidden to visible.
kernels::KeyRamp keyRampOf(const ChromaKey& key);
// The distance from the key of the colour that is farthest from it.
float maxKeyDistance(const kernels::KeyRamp& ramp);

// How far spill suppression reaches beyond the ramp, as a share of maxKeyDistance().
inline constexpr float kSpillReach = 0.08f;
// Keys with less chroma than this are too grey to spill.
inline constexpr float kMinSpillChroma = 10;

}  // namespace framewright
