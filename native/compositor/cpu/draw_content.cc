#include "compositor/cpu/draw_content.h"

namespace framewright {

PicturePlacement picturePlacement(const LayerContent& content, const ContentPlacement& placement) {
  const Rect& crop = content.layer.crop;
  const double width = content.picture->width(), height = content.picture->height();
  return {{crop.x * width, crop.y * height, crop.width * width, crop.height * height},
          placement.toSurface,
          placement.window,
          placement.opacity,
          placement.endless,
          false,
          placement.part};
}

FillPlacement fillPlacement(const ContentPlacement& placement) {
  const Rect& window = placement.window;
  const Affine everywhere{window.width, 0, window.x, 0, window.height, window.y};
  return {placement.endless ? everywhere : placement.toSurface, window, placement.opacity, placement.part};
}

void ContentDrawer::draw(const Surface& to, const LayerContent& content, const ContentPlacement& placement) {
  const Layer& layer = content.layer;
  if (layer.kind == Layer::Kind::kFill) {
    fills_.draw(to, layer.fill, fillPlacement(placement));
  } else if (layer.kind == Layer::Kind::kWaveform) {
    waveforms_.draw(to, layer, placement.toSurface, placement.window, placement.opacity, placement.part);
  } else {
    pictures_.draw(to, *content.picture, picturePlacement(content, placement));
  }
}

}  // namespace framewright
