#pragma once

#include <memory>

#include "compositor/deep/planes/images/code_image.h"
#include "compositor/deep/planes/plane_layer.h"
#include "compositor/plan/pixel_rect.h"

namespace framewright {

class RowEffects;

// How an image is placed on a surface.
struct CodePlacement {
  Rect crop;         // the drawn part in pixels of the image
  Affine toSurface;  // unit square of the crop -> surface pixels
  Rect window;       // surface pixels
  double opacity = 1;
  bool extendsEdges = false;  // the crop's edge samples fill the window
};

// Draws an opaque image by its planes: copied, filtered along both axes, or rotated. Null if it draws
// nothing. `effects` may be null. Fails with OUT_OF_MEMORY.
Result<std::unique_ptr<PlaneLayer>> codeLayer(std::shared_ptr<const CodeImage> image,
                                              const CodePlacement& placement, const CanvasSize& canvas,
                                              std::shared_ptr<RowEffects> effects = nullptr);

}  // namespace framewright
