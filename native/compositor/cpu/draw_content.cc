#include "compositor/cpu/draw_content.h"

namespace framewright {

void ContentDrawer::draw(const Surface& to, const LayerContent& content, const ContentPlacement& placement) {
  const Layer& layer = content.layer;
  const Rect& window = placement.window;
  if (layer.kind == Layer::Kind::kFill) {
    const Affine everywhere{window.width, 0, window.x, 0, window.height, window.y};
    fills_.draw(to, layer.fill, placement.endless ? everywhere : placement.toSurface, window,
                placement.opacity);
    return;
  }
  if (layer.kind == Layer::Kind::kWaveform) {
    waveforms_.draw(to, layer.bars, layer.fill, placement.toSurface, window, placement.opacity);
    return;
  }
  const PlanarPicture& picture = *content.picture;
  const Rect crop{layer.crop.x * picture.width(), layer.crop.y * picture.height(),
                  layer.crop.width * picture.width(), layer.crop.height * picture.height()};
  pictures_.draw(to, picture, {crop, placement.toSurface, window, placement.opacity, placement.endless});
}

}  // namespace framewright
