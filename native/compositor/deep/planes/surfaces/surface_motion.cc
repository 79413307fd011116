#include "compositor/deep/planes/surfaces/surface_motion.h"

#include <algorithm>

#include "compositor/deep/planes/plane_layer.h"
#include "compositor/plan/effects/motion_path.h"
#include "compositor/plan/effects/projection_plan.h"
#include "kernels/deep/plane_rows.h"
#include "kernels/deep/projected_rows.h"
#include "kernels/deep/surface_rows.h"
#include "kernels/mean/shifted_mean.h"

namespace framewright {
namespace {

constexpr int kStepsMask = kernels::kShiftSteps - 1;

int shiftOf(int32_t position) { return (position >> kMotionStepShift) & kStepsMask; }

// Adds moved copies of a plane with transparent surroundings.
class MovedPlane {
 public:
  MovedPlane(const std::vector<int16_t>& plane, int width, int height)
      : width_(width),
        height_(height),
        step_(width + 2),
        source_(static_cast<size_t>(step_ * (height + 2)), 0) {
    for (int y = 0; y < height; ++y)
      std::copy_n(plane.begin() + static_cast<ptrdiff_t>(y) * width, width,
                  source_.begin() + (y + 1) * step_ + 1);
  }

  void addRow(const MotionCopy& copy, int row, int32_t* sums) const {
    int32_t x = copy.xy * row + copy.x, y = copy.yy * row + copy.y;
    if (copy.isShift()) {
      const int left = x >> kMotionBits, top = y >> kMotionBits;
      const int first = std::max(0, -1 - left), end = std::min(width_, width_ - left);
      if (top < -1 || top >= height_ || first >= end) return;
      kernels::addShiftedSamples(sums + first, at(left + first, top), at(left + first, top + 1), shiftOf(x),
                                 shiftOf(y), static_cast<size_t>(end - first));
      return;
    }
    for (int i = 0; i < width_; ++i, x += copy.xx, y += copy.yx) {
      const int left = x >> kMotionBits, top = y >> kMotionBits;
      if (left < -1 || left >= width_ || top < -1 || top >= height_) continue;
      const int16_t *const upper = at(left, top), *const lower = upper + step_;
      const int32_t right = shiftOf(x), down = shiftOf(y), all = kernels::kShiftSteps;
      const int32_t above = upper[0] * (all - right) + upper[1] * right,
                    below = lower[0] * (all - right) + lower[1] * right;
      sums[i] += (above * (all - down) + below * down + all * all / 2) / (all * all);
    }
  }

 private:
  const int16_t* at(int x, int y) const { return source_.data() + (y + 1) * step_ + x + 1; }

  const int width_, height_;
  const ptrdiff_t step_;
  std::vector<int16_t> source_;
};

}  // namespace

void blurMotion(PlaneSurface& surface, const std::vector<Affine>& motion) {
  const auto count = static_cast<int>(motion.size());
  std::vector<int32_t> sums;
  for (const PlaneGroup group : kPlaneGroups) {
    OverlaySamples& samples = surface.of(group);
    const std::vector<MotionCopy> copies =
        motionCopies(motion, Affine{}, group, samples.width, samples.height);
    sums.resize(static_cast<size_t>(samples.width));
    for (std::vector<int16_t>* const plane : {&samples.colours[0], &samples.colours[1], &samples.alpha}) {
      if (plane->empty()) continue;
      const MovedPlane moved(*plane, samples.width, samples.height);
      for (int y = 0; y < samples.height; ++y) {
        std::fill(sums.begin(), sums.end(), 0);
        for (const MotionCopy& copy : copies) moved.addRow(copy, y, sums.data());
        kernels::averageSamples(plane->data() + samples.at(0, y), sums.data(), count, sums.size());
      }
    }
  }
}

void projectSurface(PlaneSurface& projected, const PlaneSurface& flat, const Homography& toCanvas) {
  std::vector<int32_t> here, below;
  for (const PlaneGroup group : kPlaneGroups) {
    const ProjectionPlan plan(toCanvas, flat.area, projected.area, group);
    const OverlaySamples& from = flat.of(group);
    OverlaySamples& to = projected.of(group);
    const kernels::CodePlane shape{
        nullptr, from.width, 0, from.width - 1, 0, from.height - 1, kernels::kCodeFraction};
    here.resize(2 * static_cast<size_t>(plan.entries()));
    below.resize(here.size());
    plan.writeRow(0, here.data());
    for (int y = 0; y < plan.height(); ++y) {
      plan.writeRow(y + 1, below.data());
      const kernels::ProjectedRow row{here.data(), below.data(), plan.across(), plan.down()};
      const int16_t* planes[kernels::kMaxProjectedPlanes] = {from.alpha.data()};
      int16_t* rows[kernels::kMaxProjectedPlanes] = {alphaRow(to, y)};
      size_t count = 1;
      for (size_t i = 0; i < coloursOf(group); ++i, ++count) {
        planes[count] = from.colours[i].data();
        rows[count] = colourRow(to, i, y);
      }
      kernels::sampleProjectedCodes(rows, planes, count, shape, row, static_cast<size_t>(plan.width()));
      here.swap(below);
    }
  }
}

}  // namespace framewright
