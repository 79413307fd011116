#pragma once

#include <algorithm>
#include <cmath>

#include "core/geometry.h"

// Rectangles in continuous pixel coordinates. Pure; any thread.
namespace framewright {

// Intersection; width or height 0 if disjoint.
inline Rect intersection(const Rect& a, const Rect& b) {
  const double x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(0.0, std::min(a.right(), b.right()) - x),
          std::max(0.0, std::min(a.bottom(), b.bottom()) - y)};
}

// The smallest rectangle around both.
inline Rect bounding(const Rect& a, const Rect& b) {
  const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

// `rect` with its sides moved outwards by `margin`.
inline Rect grown(const Rect& rect, double margin) {
  return {rect.x - margin, rect.y - margin, rect.width + 2 * margin, rect.height + 2 * margin};
}

// Bounding box of the unit square under `m`.
inline Rect boundsOf(const Affine& m) {
  const double left = m.dx + std::min({0.0, m.xx, m.xy, m.xx + m.xy});
  const double right = m.dx + std::max({0.0, m.xx, m.xy, m.xx + m.xy});
  const double top = m.dy + std::min({0.0, m.yx, m.yy, m.yx + m.yy});
  const double bottom = m.dy + std::max({0.0, m.yx, m.yy, m.yx + m.yy});
  return {left, top, right - left, bottom - top};
}

// The map from the unit square onto `rect`.
inline Affine unitSquareTo(const Rect& rect) { return {rect.width, 0, rect.x, 0, rect.height, rect.y}; }

}  // namespace framewright
