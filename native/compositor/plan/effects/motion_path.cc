#include "compositor/plan/effects/motion_path.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr double kMotionUnit = 1 << kMotionBits;
// Positions beyond it may not fit into 32 bits.
constexpr double kFarthestSample = 1 << 16;

int32_t fixed(double value) { return static_cast<int32_t>(std::lround(value * kMotionUnit)); }

}  // namespace

bool MotionCopy::isShift() const { return xx == 1 << kMotionBits && xy == 0 && yx == 0 && yy == xx; }

std::vector<MotionCopy> motionCopies(const std::vector<Affine>& motion, const Affine& fromCanvas,
                                     PlaneGroup group, int width, int height) {
  const Affine toCanvas = inverse(fromCanvas) * canvasFromPlane(group);
  const Affine toPlane = inverse(toCanvas);
  std::vector<MotionCopy> copies;
  for (const Affine& moved : motion) {
    // From the centre of a sample to the index whose centre it shows.
    const Affine m = translation(-0.5, -0.5) * toPlane * inverse(moved) * toCanvas * translation(0.5, 0.5);
    const double reachX = std::abs(m.dx) + std::abs(m.xx) * width + std::abs(m.xy) * height;
    const double reachY = std::abs(m.dy) + std::abs(m.yx) * width + std::abs(m.yy) * height;
    if (std::max(reachX, reachY) >= kFarthestSample) continue;
    // Half a step, so that positions are rounded to the nearest.
    constexpr double kHalfStep = 0.5 * (1 << kMotionStepShift) / kMotionUnit;
    copies.push_back({fixed(m.xx), fixed(m.xy), fixed(m.dx + kHalfStep), fixed(m.yx), fixed(m.yy),
                      fixed(m.dy + kHalfStep)});
  }
  return copies;
}

}  // namespace framewright
