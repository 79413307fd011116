#include "core/homography.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace framewright {
namespace {

// Smallest divisor of visible points, which are magnified without limit towards 0.
constexpr double kMinDepth = 0.1;

// A line: positive on the visible side.
struct Edge {
  double x, y, offset;
  double at(const Point& p) const { return x * p.x + y * p.y + offset; }
};

std::vector<Point> clipped(const std::vector<Point>& polygon, const Edge& edge) {
  std::vector<Point> inside;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Point &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double atA = edge.at(a), atB = edge.at(b);
    if (atA >= 0) inside.push_back(a);
    if ((atA < 0) != (atB < 0)) {
      const double share = atA / (atA - atB);
      inside.push_back({a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share});
    }
  }
  return inside;
}

double determinantOf(const std::array<double, 9>& m) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

Rect around(const std::vector<Point>& points) {
  double left = points[0].x, right = left, top = points[0].y, bottom = top;
  for (const Point& p : points) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  }
  return {left, top, right - left, bottom - top};
}

}  // namespace

Homography homography(const Affine& map) {
  return {{map.xx, map.xy, map.dx, map.yx, map.yy, map.dy, 0, 0, 1}};
}

Homography operator*(const Homography& a, const Homography& b) {
  Homography product;
  for (size_t r = 0; r < 3; ++r) {
    for (size_t c = 0; c < 3; ++c)
      product.m[3 * r + c] = a.m[3 * r] * b.m[c] + a.m[3 * r + 1] * b.m[3 + c] + a.m[3 * r + 2] * b.m[6 + c];
  }
  return product;
}

bool hasInverse(const Homography& h) { return std::abs(determinantOf(h.m)) > 1e-12; }

Homography inverse(const Homography& h) {
  const auto& m = h.m;
  const double determinant = determinantOf(m);
  Homography result{{m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                     m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                     m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]}};
  for (double& value : result.m) value /= determinant;
  return result;
}

Point mapped(const Homography& h, const Point& p) {
  const double depth = h.m[6] * p.x + h.m[7] * p.y + h.m[8];
  return {(h.m[0] * p.x + h.m[1] * p.y + h.m[2]) / depth, (h.m[3] * p.x + h.m[4] * p.y + h.m[5]) / depth};
}

ProjectedArea projectArea(const Homography& h, const Rect& drawn, const Rect& canvas) {
  const auto& m = h.m;
  // Coordinate `row` of the result is on the visible side of `limit` if this is positive.
  const auto edge = [&](size_t row, double limit, double side) {
    return Edge{side * (m[row] - limit * m[6]), side * (m[row + 1] - limit * m[7]),
                side * (m[row + 2] - limit * m[8])};
  };
  std::vector<Point> polygon{{drawn.x, drawn.y},
                             {drawn.right(), drawn.y},
                             {drawn.right(), drawn.bottom()},
                             {drawn.x, drawn.bottom()}};
  for (const Edge& limit :
       {Edge{m[6], m[7], m[8] - kMinDepth}, edge(0, canvas.x, 1), edge(0, canvas.right(), -1),
        edge(3, canvas.y, 1), edge(3, canvas.bottom(), -1)}) {
    polygon = clipped(polygon, limit);
    if (polygon.empty()) return {};
  }
  ProjectedArea area{around(polygon), {}, false};
  for (Point& p : polygon) p = mapped(h, p);
  area.to = around(polygon);
  return area;
}

}  // namespace framewright
