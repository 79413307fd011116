#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "kernels/curve.h"
#include "timeline/effects.h"

namespace framewright {

// Maps straight limited-range samples to corrected ones, as FFmpeg's eq filter does.
using Curve8 = std::array<uint8_t, 256>;
// Whether luma changes at all; chroma changes unless the saturation is 1.
bool changesLuma(const Correction& correction);
Curve8 lumaCurve(const Correction& correction);
Curve8 chromaCurve(const Correction& correction);
// The same curves where they have no bends.
std::optional<kernels::LinearCurve> linearLumaCurve(const Correction& correction);
std::optional<kernels::LinearCurve> linearChromaCurve(const Correction& correction);

}  // namespace framewright
