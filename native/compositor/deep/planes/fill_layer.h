#pragma once

#include <memory>

#include "compositor/deep/planes/plane_coverage.h"
#include "compositor/deep/planes/plane_layer.h"
#include "kernels/deep/float_rows.h"

namespace framewright {

// Fills a rectangle with a premultiplied colour of the canvas.
std::unique_ptr<PlaneLayer> fillLayer(const kernels::FloatColor& color, const kernels::YcbcrScale& scale,
                                      const PlaneCoverage& coverage, double opacity);

}  // namespace framewright
