#pragma once

#include "compositor/cpu/layers/surface.h"
#include "timeline/effects.h"

namespace framewright {

// Colour correction of a surface with alpha, with the results of FFmpeg's eq filter, on straight
// limited-range samples.
void correctColors(const Surface& surface, const Correction& correction);

}  // namespace framewright
