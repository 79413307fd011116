#pragma once

#include "compositor/cpu/surface.h"
#include "timeline/effects.h"

namespace framewright {

// Changes the colours of a transparent surface as ffmpeg's eq does those of a video: on limited-range
// samples.
void correctColors(const Surface& surface, const Correction& correction);

}  // namespace framewright
