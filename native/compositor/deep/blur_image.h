#pragma once

#include <vector>

#include "compositor/deep/canvas_curves.h"
#include "compositor/deep/float_image.h"
#include "timeline/effects.h"

namespace framewright {

// A Gaussian blur of `sigma` pixels of the channels from `firstChannel` on. Fails with OUT_OF_MEMORY.
Status blurImage(FloatImage& image, double sigma, int firstChannel = 0);

// Lays the shadows of a surface's shape under it, each under what is there already. Fails with OUT_OF_MEMORY.
Status castShadows(FloatImage& image, const std::vector<DropShadow>& shadows, const CanvasCurves& curves);

}  // namespace framewright
