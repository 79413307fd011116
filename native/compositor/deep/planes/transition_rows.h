#pragma once

#include <memory>

#include "compositor/deep/mask_weights.h"
#include "compositor/deep/planes/plane_list.h"

namespace framewright {

// Fades between two lists: `share` 0 is all `from`.
std::unique_ptr<PlaneLayer> fadeLayer(PlaneList from, PlaneList to, double share);

// Shows `to` by a mask over `from`. `mask` must outlive the layer.
std::unique_ptr<PlaneLayer> maskLayer(PlaneList from, PlaneList to, const MaskWeights& mask);

}  // namespace framewright
