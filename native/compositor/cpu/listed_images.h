#pragma once

#include <optional>
#include <span>

#include "compositor/changes/changed_rects.h"
#include "compositor/planar_image.h"

namespace framewright {

// Null when there is no image at `index`.
const PlanarImage* imageAt(int index, std::span<const PreparedImagePtr> images);
// Whether a PlanarImage is opaque.
bool isOpaquePlanar(const PreparedImage& image);

// lowestVisibleLayer() of a list whose images are PlanarImages.
std::optional<size_t> lowestVisible(const ListedLayers& layers, const CanvasSize& canvas,
                                    const PixelRect& part);

}  // namespace framewright
