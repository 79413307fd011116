#pragma once

#include "compositor/cpu/effects/erase_rows.h"
#include "compositor/cpu/effects/layer_buffer.h"
#include "compositor/cpu/layers/draw_image.h"
#include "core/result.h"

namespace framewright {

// Multiplies a layer's alpha by the luma of an image over black.
class ImageMask {
 public:
  // `box`: unit square that the mask fills -> canvas pixels.
  Status apply(const LayerBuffer& layer, const PlanarImage& mask, const Affine& box, ImageDrawer& images);

 private:
  LayerBuffer drawn_;
  EraseBuffers rows_;
};

}  // namespace framewright
