#include "compositor/cpu/effects/box_shape.h"

#include <algorithm>
#include <cmath>

#include "kernels/blend/blend.h"

namespace framewright {

using kernels::kFullWeight;

namespace {

// A box coordinate as a linear function along a pixel row.
struct Line {
  double slope, start;
  double at(int x) const { return slope * (x + 0.5) + start; }
};

struct PixelSpan {
  int first, end;

  // Leaves the pixels at which the line is beyond `limit`, or before it.
  void keep(const Line& line, double limit, bool beyond) {
    constexpr double kLevel = 1e-9;
    if (std::abs(line.slope) < kLevel) {
      if ((line.start > limit) != beyond) end = first;
      return;
    }
    const double edge = std::clamp((limit - line.start) / line.slope - 0.5, first - 1.0, end + 1.0);
    if ((line.slope > 0) == beyond) {
      first = std::max(first, static_cast<int>(std::ceil(edge)));
    } else {
      end = std::min(end, static_cast<int>(std::floor(edge)) + 1);
    }
  }
};

}  // namespace

void BoxShape::begin(const CanvasSize& surface, const Affine& box, double width, double height,
                     double radius) {
  surfaceWidth_ = surface.width;
  width_ = width;
  height_ = height;
  radius_ = std::min(radius, std::min(width, height) / 2);
  toBox_ = scaling(width, height) * inverse(box);
  everything_.cover(surface.rect(), surface, PlaneGroup::kLuma);
  quad_.begin(box, PlaneGroup::kLuma, everything_, everything_.columns.first);
}

bool BoxShape::fillHidden(int y, uint16_t* hidden) {
  const bool touched = y >= quad_.rows().first && y < quad_.rows().end && quad_.cover(y, 1);
  if (!touched) {
    std::fill(hidden, hidden + surfaceWidth_, kFullWeight);
    return true;
  }
  std::fill(hidden, hidden + quad_.span.first, kFullWeight);
  std::transform(quad_.weights.begin(), quad_.weights.end(), hidden + quad_.span.first,
                 [](uint16_t covered) { return static_cast<uint16_t>(kFullWeight - covered); });
  std::fill(hidden + quad_.span.end, hidden + surfaceWidth_, kFullWeight);
  if (radius_ > 0) roundCorners(y, hidden);
  return std::any_of(hidden, hidden + surfaceWidth_, [](uint16_t weight) { return weight != 0; });
}

void BoxShape::roundCorners(int y, uint16_t* hidden) const {
  const Line across{toBox_.xx, toBox_.xy * (y + 0.5) + toBox_.dx};
  const Line along{toBox_.yx, toBox_.yy * (y + 0.5) + toBox_.dy};
  for (const bool right : {false, true}) {
    for (const bool bottom : {false, true}) {
      const double centreX = right ? width_ - radius_ : radius_,
                   centreY = bottom ? height_ - radius_ : radius_;
      PixelSpan span{quad_.span.first, quad_.span.end};
      span.keep(across, centreX, right);
      span.keep(along, centreY, bottom);
      for (int x = span.first; x < span.end; ++x) {
        const double dx = across.at(x) - centreX, dy = along.at(x) - centreY;
        hidden[x] = std::max(hidden[x], outsideCorner(dx, dy));
      }
    }
  }
}

// The corner's circle touches the straight edges, so the larger hidden share applies.
uint16_t BoxShape::outsideCorner(double dx, double dy) const {
  const double length = std::sqrt(dx * dx + dy * dy);
  if (length <= 0) return 0;
  // Gradient of the distance per surface pixel; differs from 1 for unevenly scaled boxes.
  const double gx = toBox_.xx * dx + toBox_.yx * dy, gy = toBox_.xy * dx + toBox_.yy * dy;
  const double growth = std::sqrt(gx * gx + gy * gy) / length;
  return toWeight(0.5 + (length - radius_) / growth);
}

}  // namespace framewright
