#pragma once

#include "compositor/cpu/layers/surface.h"
#include "timeline/effects.h"

namespace framewright {

// Changes the colours of a surface with alpha as FFmpeg's eq filter does: on straight limited-range samples.
void correctColors(const Surface& surface, const Correction& correction);

}  // namespace framewright
