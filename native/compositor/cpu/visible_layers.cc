#include "compositor/cpu/visible_layers.h"

#include "compositor/cpu/placed_layer.h"

namespace framewright {

const PlanarPicture* frameAt(int index, std::span<const PicturePtr> pictures) {
  if (index < 0 || static_cast<size_t>(index) >= pictures.size()) return nullptr;
  return static_cast<const PlanarPicture*>(pictures[static_cast<size_t>(index)].get());
}

std::optional<size_t> lowestVisible(const ListedLayers& layers, const CanvasSize& canvas,
                                    const PixelRect& part) {
  for (size_t i = layers.list.layers.size(); i-- > 0;) {
    const Layer& layer = layers.list.layers[i];
    const PlanarPicture* const picture = frameAt(layer.picture, layers.pictures);
    const Rect hidden =
        hiddenUnder(layer, placeLayer(layer, canvas), picture != nullptr && picture->isOpaque(), canvas);
    if (covers(hidden, part)) return i;
  }
  return std::nullopt;
}

}  // namespace framewright
