#pragma once

#include <optional>
#include <span>

#include "compositor/compositor.h"
#include "compositor/cpu/planar_picture.h"
#include "compositor/cpu/shape.h"

namespace framewright {

// A list and what its picture indices mean.
struct ListedLayers {
  const DrawList& list;
  std::span<const PicturePtr> pictures;
};

// `index` as in Layer::picture; null where there is none.
const PlanarPicture* frameAt(int index, std::span<const PicturePtr> pictures);

// The layer under which nothing of `part` can be seen; absent where black can be.
std::optional<size_t> lowestVisible(const ListedLayers& layers, const CanvasSize& canvas,
                                    const PixelRect& part);

}  // namespace framewright
