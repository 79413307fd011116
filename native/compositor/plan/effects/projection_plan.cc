#include "compositor/plan/effects/projection_plan.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr double kPositionUnit = 1 << 16;
constexpr double kFarthest = 1 << 29;  // of positions; twice that fits into 32 bits
constexpr double kMinDepth = 1e-3;
// Minification up to which a sample shows one position, or two in each direction.
constexpr double kSharp = 1.3, kTwice = 2.6;

// How many flat samples lie between the positions of neighbours, at the most.
struct Steps {
  double across = 0, down = 0;
};

Steps largestSteps(const Homography& toFlat, int width, int height, const Rect& flat) {
  constexpr int kProbes = 8;
  Steps largest;
  for (int i = 0; i <= kProbes; ++i) {
    for (int k = 0; k <= kProbes; ++k) {
      const Point at{width * i * 1.0 / kProbes, height * k * 1.0 / kProbes};
      if (toFlat.m[6] * at.x + toFlat.m[7] * at.y + toFlat.m[8] < kMinDepth) continue;
      const Point here = mapped(toFlat, at);
      if (here.x < flat.x || here.x > flat.right() || here.y < flat.y || here.y > flat.bottom()) continue;
      const Point right = mapped(toFlat, {at.x + 1, at.y}), down = mapped(toFlat, {at.x, at.y + 1});
      largest.across = std::max(largest.across, std::hypot(right.x - here.x, right.y - here.y));
      largest.down = std::max(largest.down, std::hypot(down.x - here.x, down.y - here.y));
    }
  }
  return largest;
}

int positionsFor(double step) { return step <= kSharp ? 1 : step <= kTwice ? 2 : 4; }

}  // namespace

ProjectionPlan::ProjectionPlan(const Homography& toCanvas, const PixelRect& flat, const PixelRect& projected,
                               PlaneGroup group) {
  const int side = group == PlaneGroup::kLuma ? 1 : 2;
  width_ = projected.width() / side;
  height_ = projected.height() / side;
  const Affine canvasFromProjected = translation(projected.left, projected.top) * canvasFromPlane(group);
  const Affine planeFromFlat = inverse(canvasFromPlane(group)) * translation(-flat.left, -flat.top);
  toFlat_ = homography(planeFromFlat) * inverse(toCanvas) * homography(canvasFromProjected);
  const Steps largest =
      largestSteps(toFlat_, width_, height_, {0, 0, flat.width() * 1.0 / side, flat.height() * 1.0 / side});
  across_ = positionsFor(largest.across);
  down_ = positionsFor(largest.down);
}

void ProjectionPlan::writeRow(int y, int32_t* positions) const {
  const auto& m = toFlat_.m;
  const auto fixed = [](double position) {
    const double value = std::clamp(position * kPositionUnit - kPositionUnit / 2, -kFarthest, kFarthest);
    return static_cast<int32_t>(value < 0 ? value - 0.5 : value + 0.5);
  };
  const double rowX = m[1] * (y + 0.5) + m[2], rowY = m[4] * (y + 0.5) + m[5],
               rowDepth = m[7] * (y + 0.5) + m[8];
  for (int i = 0; i < entries(); ++i) {
    const double x = i * kernels::kProjectionStep + 0.5;
    // Behind the viewer positions go on far outside, so that those between are outside as well.
    const double shrink = 1 / std::max(m[6] * x + rowDepth, kMinDepth);
    positions[2 * i] = fixed((m[0] * x + rowX) * shrink);
    positions[2 * i + 1] = fixed((m[3] * x + rowY) * shrink);
  }
}

}  // namespace framewright
