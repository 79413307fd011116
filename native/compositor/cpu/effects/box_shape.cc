#include "compositor/cpu/effects/box_shape.h"

#include <algorithm>
#include <cmath>

#include "kernels/blend.h"

namespace framewright {

using kernels::kFullWeight;

void BoxShape::begin(const CanvasSize& surface, const Affine& box, double width, double height,
                     double radius) {
  surfaceWidth_ = surface.width;
  width_ = width;
  height_ = height;
  radius_ = std::min(radius, std::min(width, height) / 2);
  toBox_ = scaling(width, height) * inverse(box);
  everything_.cover(surface.rect(), surface, PlaneGroup::kLuma);
  quad_.cover(box, PlaneGroup::kLuma, everything_);
}

bool BoxShape::fillHidden(int y, uint16_t* hidden) {
  const bool touched = y >= quad_.firstRow() && y < quad_.endRow() && quad_.coverRow(y, 1);
  if (!touched) {
    std::fill(hidden, hidden + surfaceWidth_, kFullWeight);
    return true;
  }
  std::fill(hidden, hidden + quad_.first, kFullWeight);
  std::transform(quad_.weights.begin(), quad_.weights.end(), hidden + quad_.first,
                 [](uint16_t covered) { return static_cast<uint16_t>(kFullWeight - covered); });
  std::fill(hidden + quad_.end, hidden + surfaceWidth_, kFullWeight);
  if (radius_ > 0) roundCorners(y, hidden);
  return std::any_of(hidden, hidden + surfaceWidth_, [](uint16_t weight) { return weight != 0; });
}

// A corner's circle touches the straight edges, so the larger of both hidden parts is the true one.
void BoxShape::roundCorners(int y, uint16_t* hidden) const {
  const double right = width_ - radius_, bottom = height_ - radius_;
  const double rowX = toBox_.xy * (y + 0.5) + toBox_.dx, rowY = toBox_.yy * (y + 0.5) + toBox_.dy;
  for (int x = quad_.first; x < quad_.end; ++x) {
    const double across = toBox_.xx * (x + 0.5) + rowX, along = toBox_.yx * (x + 0.5) + rowY;
    const double dx = across < radius_ ? across - radius_ : across > right ? across - right : 0;
    const double dy = along < radius_ ? along - radius_ : along > bottom ? along - bottom : 0;
    if (dx == 0 || dy == 0) continue;
    const double length = std::hypot(dx, dy);
    // How fast the distance grows per pixel of the surface, which a box stretched unevenly changes.
    const double growth =
        std::hypot(toBox_.xx * dx + toBox_.yx * dy, toBox_.xy * dx + toBox_.yy * dy) / length;
    const double outside = 0.5 + (length - radius_) / growth;
    hidden[x] = std::max(hidden[x], toWeight(outside));
  }
}

}  // namespace framewright
