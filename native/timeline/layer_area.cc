#include "timeline/layer_area.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace framewright {
namespace {

constexpr double kFarPixels = 1e6;
// Of all that may be seen in perspective; content is far from it on no canvas.
constexpr Rect kFar{-kFarPixels, -kFarPixels, 2 * kFarPixels, 2 * kFarPixels};

double reachOf(const DropShadow& shadow) { return std::ceil(kBlurReach * shadow.blur) + 2; }

// How far a map moves a point of `drawn` at most.
double farthestMove(const Affine& moved, const Rect& drawn) {
  double farthest = 0;
  for (const double x : {drawn.x, drawn.right()}) {
    for (const double y : {drawn.y, drawn.bottom()})
      farthest = std::max(farthest, distanceBetween(moved, {}, x, y));
  }
  return farthest;
}

}  // namespace

Rect bounds(const Affine& m) {
  const std::array<double, 4> xs{m.dx, m.dx + m.xx, m.dx + m.xy, m.dx + m.xx + m.xy};
  const std::array<double, 4> ys{m.dy, m.dy + m.yx, m.dy + m.yy, m.dy + m.yx + m.yy};
  const auto [left, right] = std::minmax_element(xs.begin(), xs.end());
  const auto [top, bottom] = std::minmax_element(ys.begin(), ys.end());
  return {*left, *top, *right - *left, *bottom - *top};
}

double determinant(const Affine& m) { return m.xx * m.yy - m.xy * m.yx; }

Rect expanded(const Rect& rect, double by) {
  return {rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by};
}

Rect common(const Rect& a, const Rect& b) {
  const double x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(0.0, std::min(a.right(), b.right()) - x),
          std::max(0.0, std::min(a.bottom(), b.bottom()) - y)};
}

Rect around(const Rect& a, const Rect& b) {
  const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

bool overlaps(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool contains(const Rect& outer, const Rect& inner) {
  constexpr double kTolerance = 0.01;
  return outer.x <= inner.x + kTolerance && outer.y <= inner.y + kTolerance &&
         outer.right() >= inner.right() - kTolerance && outer.bottom() >= inner.bottom() - kTolerance;
}

double distanceBetween(const Affine& a, const Affine& b, double x, double y) {
  return std::hypot((a.xx - b.xx) * x + (a.xy - b.xy) * y + a.dx - b.dx,
                    (a.yx - b.yx) * x + (a.yy - b.yy) * y + a.dy - b.dy);
}

double motionReach(const LayerEffects& effects, const Rect& drawn) {
  double reach = 0;
  for (const Affine& moved : effects.motion) reach = std::max(reach, farthestMove(moved, drawn));
  return reach;
}

double motionReachInto(const LayerEffects& effects, const Rect& area) {
  double reach = 0;
  for (const Affine& moved : effects.motion) reach = std::max(reach, farthestMove(inverse(moved), area));
  return reach;
}

Rect withShadows(const std::vector<DropShadow>& shadows, const Rect& area) {
  Rect all = area;
  for (const DropShadow& shadow : shadows)
    all = around(all,
                 expanded({area.x + shadow.x, area.y + shadow.y, area.width, area.height}, reachOf(shadow)));
  return all;
}

Rect castersOf(const std::vector<DropShadow>& shadows, const Rect& area) {
  Rect all = area;
  for (const DropShadow& shadow : shadows)
    all = around(all,
                 expanded({area.x - shadow.x, area.y - shadow.y, area.width, area.height}, reachOf(shadow)));
  return all;
}

Rect areaOf(const Layer& layer) {
  const Rect drawn = bounds(layer.toCanvas);
  if (!layer.effects) return drawn;
  const LayerEffects& effects = *layer.effects;
  const Rect blurred = expanded(drawn, kBlurReach * effects.blur);
  Rect area = expanded(blurred, motionReach(effects, blurred));
  if (effects.projection) area = projectArea(*effects.projection, area, kFar).to;
  return withShadows(effects.shadows, area);
}

Rect casterArea(const LayerEffects& effects, const Affine& box, const Rect& area) {
  Rect seen = castersOf(effects.shadows, area);
  if (effects.projection) seen = projectArea(inverse(*effects.projection), seen, kFar).to;
  return expanded(seen, kBlurReach * effects.blur + motionReach(effects, around(seen, bounds(box))));
}

}  // namespace framewright
