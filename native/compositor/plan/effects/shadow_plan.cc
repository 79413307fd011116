#include "compositor/plan/effects/shadow_plan.h"

#include <cmath>

#include "compositor/plan/color.h"
#include "kernels/mean/shifted_mean.h"
#include "kernels/shadow.h"

namespace framewright {
namespace {

struct Shift {
  int whole, steps;
};

// Where a plane is read that is moved by `offset` samples.
Shift readAt(double offset) {
  const long position = std::lround(-offset * kernels::kShiftSteps);
  const long whole = (position - (position < 0 ? kernels::kShiftSteps - 1 : 0)) / kernels::kShiftSteps;
  return {static_cast<int>(whole), static_cast<int>(position - whole * kernels::kShiftSteps)};
}

}  // namespace

ShadowPlan planShadow(const DropShadow& shadow, PlaneGroup group) {
  const double scale = group == PlaneGroup::kLuma ? 1 : 0.5;
  const Shift across = readAt(shadow.x * scale), down = readAt(shadow.y * scale);
  const std::array<uint8_t, 3> yuv = yuvOf(shadow.color);
  return {
      shadow.blur * scale,
      across.whole,
      down.whole,
      across.steps,
      down.steps,
      group == PlaneGroup::kLuma ? std::array<uint8_t, 2>{yuv[0], 0} : std::array<uint8_t, 2>{yuv[1], yuv[2]},
      shadow.color.a,
      static_cast<int>(std::lround(shadow.intensity * kernels::kShadowIntensityUnit))};
}

}  // namespace framewright
