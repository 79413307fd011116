#pragma once

#include "compositor/cpu/planar_picture.h"

namespace framewright {

// RGBA -> premultiplied planes with left-sited chroma; opaque where every pixel is.
Result<std::shared_ptr<const PlanarPicture>> convertRgba(const Image& image);

// The picture with `width` x `height` pixels and left-sited chroma. For scaling down, by any factor; not
// for every frame.
Result<std::shared_ptr<const PlanarPicture>> scalePicture(const PlanarPicture& picture, int width,
                                                          int height);

}  // namespace framewright
