#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/rect.h"

namespace framewright {

// Whole pixels left … right - 1, top … bottom - 1. Regions that are drawn separately start and end on even
// pixels or at the edge of an odd canvas, so that no chroma sample belongs to two regions.
struct PixelRect {
  int left = 0, top = 0, right = 0, bottom = 0;

  bool empty() const { return right <= left || bottom <= top; }
  int width() const { return right - left; }
  int height() const { return bottom - top; }
  // Area in pixels; 0 if empty.
  double area() const { return empty() ? 0 : static_cast<double>(width()) * height(); }
  Rect rect() const {
    return {static_cast<double>(left), static_cast<double>(top), static_cast<double>(width()),
            static_cast<double>(height())};
  }
  bool operator==(const PixelRect&) const = default;
};

// An unlimited region.
inline constexpr PixelRect kEverywhere{0, 0, std::numeric_limits<int>::max(),
                                       std::numeric_limits<int>::max()};

// The size of a canvas or surface in pixels.
struct CanvasSize {
  int width = 0;
  int height = 0;
  Rect rect() const { return {0, 0, static_cast<double>(width), static_cast<double>(height)}; }
  PixelRect pixels() const { return {0, 0, width, height}; }
};

// Intersection; empty() if disjoint.
inline PixelRect intersection(const PixelRect& a, const PixelRect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}
// The smallest rectangle around both.
inline PixelRect bounding(const PixelRect& a, const PixelRect& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

// The smallest rectangle on even pixels around `rect`. Positions far outside any canvas are clamped.
inline PixelRect evenPixels(const Rect& rect) {
  static constexpr double kFar = 1 << 24;
  const auto down = [](double edge) {
    return 2 * static_cast<int>(std::floor(std::clamp(edge, -kFar, kFar) / 2));
  };
  const auto up = [](double edge) {
    return 2 * static_cast<int>(std::ceil(std::clamp(edge, -kFar, kFar) / 2));
  };
  return {down(rect.x), down(rect.y), up(rect.right()), up(rect.bottom())};
}

// The unit square under an axis-aligned `m`.
inline Rect axisAlignedRect(const Affine& m) {
  return {std::min(m.dx, m.dx + m.xx), std::min(m.dy, m.dy + m.yy), std::abs(m.xx), std::abs(m.yy)};
}

}  // namespace framewright
