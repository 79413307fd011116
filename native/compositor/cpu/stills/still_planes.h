#pragma once

#include "compositor/planar_image.h"

namespace framewright {

// Converts RGBA to premultiplied planes with left-sited chroma; opaque if every pixel is.
Result<std::shared_ptr<const PlanarImage>> convertRgba(const Image& image);

// Scales to `width` x `height` with left-sited chroma, for any reduction; too slow for every frame.
Result<std::shared_ptr<const PlanarImage>> scaleImage(const PlanarImage& image, int width, int height);

}  // namespace framewright
