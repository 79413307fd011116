#include "compositor/cpu/layers/draw_content.h"

namespace framewright {

ImagePlacement imagePlacement(const LayerContent& content, const ContentPlacement& placement) {
  const Rect& crop = content.layer.crop;
  const double width = content.image->width(), height = content.image->height();
  return {{crop.x * width, crop.y * height, crop.width * width, crop.height * height},
          placement.toSurface,
          placement.window,
          placement.opacity,
          placement.extendsEdges,
          false,
          placement.part};
}

FillPlacement fillPlacement(const ContentPlacement& placement) {
  const Rect& window = placement.window;
  return {placement.extendsEdges ? unitSquareTo(window) : placement.toSurface, window, placement.opacity,
          placement.part};
}

void ContentDrawer::draw(const Surface& to, const LayerContent& content, const ContentPlacement& placement) {
  const Layer& layer = content.layer;
  if (layer.kind == Layer::Kind::kFill) {
    fills_.draw(to, layer.fill, fillPlacement(placement));
  } else if (layer.kind == Layer::Kind::kWaveform) {
    waveforms_.draw(to, layer, placement.toSurface, placement.window, placement.opacity, placement.part);
  } else {
    images_.draw(to, *content.image, imagePlacement(content, placement));
  }
}

}  // namespace framewright
