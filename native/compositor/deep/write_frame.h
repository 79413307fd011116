#pragma once

#include "compositor/deep/canvas_curves.h"
#include "compositor/deep/float_image.h"
#include "core/image.h"

namespace framewright {

// Writes an opaque frame as kI010, dithered or rounded to the nearest code. Changes `from`, whose values
// become signals.
void writeDeepFrame(FloatImage& from, const CanvasCurves& curves, bool isDithered, Image& to);

// Writes kRgbaStraight: signals of 8 bits, not limited to SDR.
void writeStraight(const FloatImage& from, const CanvasCurves& curves, Image& to);

}  // namespace framewright
