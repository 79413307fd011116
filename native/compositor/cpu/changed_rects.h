#pragma once

#include <span>
#include <vector>

#include "compositor/cpu/visible_layers.h"

namespace framewright {

// Whether both show the same there.
bool isSameLayer(const Layer& a, std::span<const PicturePtr> ofA, const Layer& b,
                 std::span<const PicturePtr> ofB);

// Everything outside of these few rectangles is the same in both frames, and drawing `to` inside one of them
// needs nothing from outside. They may overlap.
std::vector<PixelRect> changedRects(const ListedLayers& from, const ListedLayers& to,
                                    const CanvasSize& canvas);

}  // namespace framewright
