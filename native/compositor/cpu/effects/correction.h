#pragma once

#include <array>
#include <cstdint>

#include "compositor/cpu/surface.h"
#include "timeline/effects.h"

namespace framewright {

// Changes the colours of a transparent surface as ffmpeg's eq does those of a video: on limited-range
// samples.
void correctColors(const Surface& surface, const Correction& correction);

// What becomes of straight samples; chroma changes unless its saturation is 1.
using Curve8 = std::array<uint8_t, 256>;
bool bendsLuma(const Correction& correction);
Curve8 lumaCurve(const Correction& correction);
Curve8 chromaCurve(const Correction& correction);

}  // namespace framewright
