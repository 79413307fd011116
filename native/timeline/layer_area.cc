#include "timeline/layer_area.h"

#include <algorithm>
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

double determinant(const Affine& m) { return m.xx * m.yy - m.xy * m.yx; }

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
    all = bounding(all,
                   grown({area.x + shadow.x, area.y + shadow.y, area.width, area.height}, reachOf(shadow)));
  return all;
}

Rect castersOf(const std::vector<DropShadow>& shadows, const Rect& area) {
  Rect all = area;
  for (const DropShadow& shadow : shadows)
    all = bounding(all,
                   grown({area.x - shadow.x, area.y - shadow.y, area.width, area.height}, reachOf(shadow)));
  return all;
}

Rect areaOf(const Layer& layer) {
  const Rect drawn = boundsOf(layer.toCanvas);
  if (!layer.effects) return drawn;
  const LayerEffects& effects = *layer.effects;
  const Rect blurred = grown(drawn, kBlurReach * effects.blur);
  Rect area = grown(blurred, motionReach(effects, blurred));
  if (effects.projection) area = projectArea(*effects.projection, area, kFar).to;
  return withShadows(effects.shadows, area);
}

Rect casterArea(const LayerEffects& effects, const Affine& box, const Rect& area) {
  Rect seen = castersOf(effects.shadows, area);
  if (effects.projection) seen = projectArea(inverse(*effects.projection), seen, kFar).to;
  return grown(seen, kBlurReach * effects.blur + motionReach(effects, bounding(seen, boundsOf(box))));
}

}  // namespace framewright
