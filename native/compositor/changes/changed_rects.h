#pragma once

#include <span>
#include <vector>

#include "compositor/compositor.h"
#include "compositor/plan/layer_placement.h"

namespace framewright {

// A draw list and the images that its indices refer to. Borrowed.
struct ListedLayers {
  const DrawList& list;
  std::span<const PreparedImagePtr> images;
};

// Whether both layers show the same pixels.
bool isSameLayer(const Layer& a, std::span<const PreparedImagePtr> ofA, const Layer& b,
                 std::span<const PreparedImagePtr> ofB);

// Regions that contain all differences between both frames; drawing `to` inside them reads nothing outside. A
// few rectangles, which may overlap. `isOpaque` returns whether an image is opaque.
std::vector<PixelRect> changedRects(const ListedLayers& from, const ListedLayers& to,
                                    const CanvasSize& canvas, bool (*isOpaque)(const PreparedImage&));

}  // namespace framewright
