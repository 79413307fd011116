#pragma once

#include "compositor/cpu/draw_picture.h"
#include "compositor/cpu/effects/hide_rows.h"
#include "compositor/cpu/effects/layer_buffer.h"
#include "core/result.h"

namespace framewright {

// Multiplies a layer's alpha by the luma that a picture has over black.
class PictureMask {
 public:
  // `box`: unit square that the mask fills -> canvas pixels.
  Status apply(const LayerBuffer& layer, const PlanarPicture& mask, const Affine& box,
               PictureDrawer& pictures);

 private:
  LayerBuffer drawn_;
  HideRowsBuffers rows_;
};

}  // namespace framewright
