#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/geometry.h"

namespace framewright {

// Whole pixels left … right - 1, top … bottom - 1. What is drawn apart starts and ends on even pixels, or at
// an odd canvas's edge, so that no chroma sample belongs to two parts.
struct PixelRect {
  int left = 0, top = 0, right = 0, bottom = 0;

  bool empty() const { return right <= left || bottom <= top; }
  int width() const { return right - left; }
  int height() const { return bottom - top; }
  double area() const { return empty() ? 0 : static_cast<double>(width()) * height(); }
  Rect rect() const {
    return {static_cast<double>(left), static_cast<double>(top), static_cast<double>(width()),
            static_cast<double>(height())};
  }
  bool operator==(const PixelRect&) const = default;
};

inline constexpr PixelRect kEverywhere{0, 0, std::numeric_limits<int>::max(),
                                       std::numeric_limits<int>::max()};

inline PixelRect intersection(const PixelRect& a, const PixelRect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}
inline PixelRect bounding(const PixelRect& a, const PixelRect& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

inline Rect grown(const Rect& rect, double by) {
  return {rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by};
}

// The least even pixels that hold `rect`. Far outside any canvas they stay near it.
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

// Canvas area that holds the unit square under `m`.
inline Rect boundsOf(const Affine& m) {
  const double left = m.dx + std::min({0.0, m.xx, m.xy, m.xx + m.xy});
  const double right = m.dx + std::max({0.0, m.xx, m.xy, m.xx + m.xy});
  const double top = m.dy + std::min({0.0, m.yx, m.yy, m.yx + m.yy});
  const double bottom = m.dy + std::max({0.0, m.yx, m.yy, m.yx + m.yy});
  return {left, top, right - left, bottom - top};
}

}  // namespace framewright
