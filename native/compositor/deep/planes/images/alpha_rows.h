#pragma once

#include <memory>

#include "compositor/deep/planes/images/alpha_image.h"
#include "compositor/deep/planes/images/code_layer.h"
#include "compositor/deep/planes/layer_rows.h"

namespace framewright {

// Rows of an image with alpha: filtered along both axes, or rotated. Without the placement's opacity. `area`:
// the pixels that the image may change, from even ones on. Null if it draws nothing.
std::unique_ptr<LayerRows> alphaRows(std::shared_ptr<const AlphaImage> image, const CodePlacement& placement,
                                     const PixelRect& area, const CanvasSize& canvas);

}  // namespace framewright
