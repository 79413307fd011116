#pragma once

#include "kernels/straight.h"
#include "timeline/effects.h"

namespace framewright {

// The distance range in which a chroma key changes from hidden to visible.
kernels::KeyRamp keyRampOf(const ChromaKey& key);
// The maximum distance of any colour from the key.
float maxKeyDistance(const kernels::KeyRamp& ramp);

// How far spill suppression reaches beyond the ramp, as a share of maxKeyDistance().
inline constexpr float kSpillReach = 0.08f;
// Keys with less chroma are too grey to spill.
inline constexpr float kMinSpillChroma = 10;

}  // namespace framewright
