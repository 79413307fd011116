#pragma once

#include <array>

#include "core/geometry.h"

namespace framewright {

// A perspective map of (x, y, 1), row by row: (m0 x + m1 y + m2, m3 x + m4 y + m5) / (m6 x + m7 y + m8).
struct Homography {
  std::array<double, 9> m{1, 0, 0, 0, 1, 0, 0, 0, 1};
  bool operator==(const Homography&) const = default;
};

Homography homography(const Affine& map);
// `a` after `b`.
Homography operator*(const Homography& a, const Homography& b);
// Whether the map is far enough from a singular one.
bool hasInverse(const Homography& h);
Homography inverse(const Homography& h);

struct Point {
  double x = 0, y = 0;
};
// Requires a point before the viewer.
Point mapped(const Homography& h, const Point& p);

// What is visible of `drawn` under `h`, in the coordinates of both sides of the map.
struct ProjectedArea {
  Rect from, to;
  bool isEmpty = true;
};
// Leaves out what is projected outside `canvas`, behind the viewer or close to his eye.
ProjectedArea projectArea(const Homography& h, const Rect& drawn, const Rect& canvas);

}  // namespace framewright
