#pragma once

#include <memory>

#include "compositor/deep/planes/plane_coverage.h"
#include "compositor/deep/planes/plane_layer.h"
#include "kernels/deep/float_rows.h"

namespace framewright {

class RowEffects;

// Fills a rectangle with a premultiplied colour of the canvas. `effects` may be null.
std::unique_ptr<PlaneLayer> fillLayer(const kernels::FloatColor& color, const kernels::YcbcrScale& scale,
                                      const PlaneCoverage& coverage, double opacity,
                                      std::shared_ptr<RowEffects> effects = nullptr);

}  // namespace framewright
