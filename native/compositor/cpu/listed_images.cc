#include "compositor/cpu/listed_images.h"

namespace framewright {

const PlanarImage* imageAt(int index, std::span<const PreparedImagePtr> images) {
  if (index < 0 || static_cast<size_t>(index) >= images.size()) return nullptr;
  return static_cast<const PlanarImage*>(images[static_cast<size_t>(index)].get());
}

bool isOpaquePlanar(const PreparedImage& image) { return static_cast<const PlanarImage&>(image).isOpaque(); }

std::optional<size_t> lowestVisible(const ListedLayers& layers, const CanvasSize& canvas,
                                    const PixelRect& part) {
  return lowestVisibleLayer(layers.list, canvas, part, [&](int index) {
    const PlanarImage* const image = imageAt(index, layers.images);
    return image != nullptr && image->isOpaque();
  });
}

}  // namespace framewright
