#pragma once

#include <span>
#include <vector>

#include "compositor/compositor.h"
#include "compositor/plan/layer_placement.h"
#include "compositor/planar_image.h"

namespace framewright {

// A draw list and the images that its indices refer to. Borrowed.
struct ListedLayers {
  const DrawList& list;
  std::span<const PreparedImagePtr> images;
};

// Null when there is no image at `index`.
const PlanarImage* imageAt(int index, std::span<const PreparedImagePtr> images);

// lowestVisibleLayer() of a list whose images are PlanarImages.
std::optional<size_t> lowestVisible(const ListedLayers& layers, const CanvasSize& canvas,
                                    const PixelRect& part);

// Regions that contain all differences between both frames; drawing `to` inside them reads nothing outside. A
// few rectangles, which may overlap.
std::vector<PixelRect> changedRects(const ListedLayers& from, const ListedLayers& to,
                                    const CanvasSize& canvas);

}  // namespace framewright
