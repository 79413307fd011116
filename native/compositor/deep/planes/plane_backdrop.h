#pragma once

#include "compositor/deep/canvas_curves.h"
#include "compositor/deep/float_image.h"
#include "compositor/deep/planes/plane_list.h"

namespace framewright {

// Composes the part `area` of a list, which starts on even pixels, as R'G'B'. `frame` is a kI010 image of the
// canvas's size to work in. Fails with OUT_OF_MEMORY.
Status readBackdrop(FloatImage& to, PlaneList& list, const PixelRect& area, const CanvasCurves& curves,
                    Image& frame);

}  // namespace framewright
