#pragma once

#include "compositor/deep/planes/images/code_layer.h"
#include "compositor/plan/image_sampling.h"

namespace framewright {

// Draws a rotated or sheared opaque image by bilinear samples of its planes. Fails with OUT_OF_MEMORY.
Result<std::unique_ptr<PlaneLayer>> rotatedCodeLayer(std::shared_ptr<const CodeImage> image,
                                                     const CodePlacement& placement,
                                                     const ImageSampling& sampling, const CanvasSize& canvas,
                                                     std::shared_ptr<RowEffects> effects = nullptr);

}  // namespace framewright
