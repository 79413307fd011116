#pragma once

#include "compositor/deep/canvas_curves.h"
#include "timeline/draw_list.h"

namespace framewright::gpu {

// Whether the device draws everything that a list shows with samples of 16 bits. It lacks effects and
// transitions that the CPU computes with 8 bits, glows, and corrections on HDR canvases.
bool canDrawDeep(const DrawList& list, const CanvasCurves& curves);

}  // namespace framewright::gpu
