#pragma once

#include "compositor/planar_image.h"

namespace framewright {

// RGBA -> premultiplied planes with left-sited chroma; opaque where every pixel is.
Result<std::shared_ptr<const PlanarImage>> convertRgba(const Image& image);

// The image with `width` x `height` pixels and left-sited chroma. For scaling down, by any factor; not
// for every frame.
Result<std::shared_ptr<const PlanarImage>> scaleImage(const PlanarImage& image, int width, int height);

}  // namespace framewright
