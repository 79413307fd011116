#include "compositor/cpu/effects/motion_blur.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/planes.h"
#include "kernels/mean/shifted_mean.h"

namespace framewright {
namespace {

constexpr int kStepMask = kernels::kShiftSteps - 1;

int stepsOf(int32_t position) { return (position >> kMotionStepShift) & kStepMask; }

}  // namespace

void MotionBlur::apply(const LayerBuffer& layer, const std::vector<Affine>& motion) {
  const auto count = static_cast<int>(motion.size());
  for (const PlaneGroup group : kPlaneGroups) {
    const std::array<Plane, 3> planes = planesOf(layer.surface().planes, group);
    const Plane& alpha = planes[kAlphaPlane];
    const std::vector<MotionCopy> copies =
        motionCopies(motion, layer.fromCanvas(), group, alpha.width, alpha.height);
    for (int p = 0; p < colourPlanes(group); ++p) blurPlane(planes[static_cast<size_t>(p)], copies, count);
    blurPlane(alpha, copies, count);
  }
}

void MotionBlur::blurPlane(const Plane& plane, const std::vector<MotionCopy>& copies, int count) {
  step_ = plane.width + 2;
  source_.assign(static_cast<size_t>(step_ * (plane.height + 2)), 0);
  for (int y = 0; y < plane.height; ++y)
    std::memcpy(source_.data() + (y + 1) * step_ + 1, rowOf(plane, y), static_cast<size_t>(plane.width));
  for (int y = 0; y < plane.height; ++y) {
    sums_.assign(static_cast<size_t>(plane.width), 0);
    for (const MotionCopy& copy : copies) addRow(plane, copy, y);
    kernels::averageRow(rowOf(plane, y), sums_.data(), count, static_cast<size_t>(plane.width));
  }
}

void MotionBlur::addRow(const Plane& plane, const MotionCopy& copy, int row) {
  int32_t x = copy.xy * row + copy.x, y = copy.yy * row + copy.y;
  if (copy.isShift()) {
    const int left = x >> kMotionBits, top = y >> kMotionBits;
    const int first = std::max(0, -1 - left), end = std::min(plane.width, plane.width - left);
    if (top < -1 || top >= plane.height || first >= end) return;
    kernels::addShifted(sums_.data() + first, at(left + first, top), at(left + first, top + 1), stepsOf(x),
                        stepsOf(y), static_cast<size_t>(end - first));
    return;
  }
  for (int i = 0; i < plane.width; ++i, x += copy.xx, y += copy.yx) {
    const int left = x >> kMotionBits, top = y >> kMotionBits;
    if (left < -1 || left >= plane.width || top < -1 || top >= plane.height) continue;
    const uint8_t* const upper = at(left, top);
    const uint8_t* const lower = upper + step_;
    sums_[static_cast<size_t>(i)] = static_cast<uint16_t>(
        sums_[static_cast<size_t>(i)] +
        kernels::shiftedSample(upper[0], upper[1], lower[0], lower[1], stepsOf(x), stepsOf(y)));
  }
}

}  // namespace framewright
