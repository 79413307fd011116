#include "compositor/deep/planes/surfaces/sample_blur.h"

#include <algorithm>

#include "compositor/plan/effects/blur_plan.h"
#include "kernels/deep/surface_rows.h"

namespace framewright {
namespace {

// Rows around the middle one that equal it.
SampleRange rowsLikeTheMiddle(const int16_t* plane, int width, int height) {
  const auto rowAt = [&](int y) { return plane + static_cast<ptrdiff_t>(y) * width; };
  const int middle = height / 2;
  const auto isLike = [&](int y) { return std::equal(rowAt(y), rowAt(y) + width, rowAt(middle)); };
  SampleRange rows{middle, middle + 1};
  while (rows.first > 0 && isLike(rows.first - 1)) --rows.first;
  while (rows.end < height && isLike(rows.end)) ++rows.end;
  return rows;
}

}  // namespace

void SampleBlur::apply(PlaneSurface& surface, double sigma) {
  for (const PlaneGroup group : kPlaneGroups) {
    OverlaySamples& samples = surface.of(group);
    const double own = group == PlaneGroup::kLuma ? sigma : sigma / 2;
    for (std::vector<int16_t>& plane : samples.colours)
      if (!plane.empty()) blurPlane({plane.data(), samples.width, samples.height, false}, own);
    blurAlpha(samples.alpha.data(), samples.width, samples.height, own);
  }
}

void SampleBlur::blurAlpha(int16_t* alpha, int width, int height, double sigma) {
  const BlurPlan plan = planBlur(sigma);
  if (plan.sigma <= 0) return;
  // Equal rows around the middle give equal rows, of which one is enough.
  int16_t weights[kMaxBlurTaps];
  const int unit = 1 << plan.halvings;
  const int reach = (makeBlurFilter(weights, plan.sigma) / 2 + 3) * unit;
  const SampleRange like = rowsLikeTheMiddle(alpha, width, height);
  const int from = like.first + reach, removed = (like.end - reach - 1 - from) / unit * unit;
  if (removed <= 0) return blurPlane({alpha, width, height, true}, sigma);
  const auto columns = static_cast<ptrdiff_t>(width);
  small_.assign(alpha, alpha + from * columns);
  small_.insert(small_.end(), alpha + (from + removed) * columns, alpha + height * columns);
  blurPlane({small_.data(), width, height - removed, true}, sigma);
  std::copy_n(small_.begin(), from * columns, alpha);
  for (int y = from; y < from + removed; ++y)
    std::copy_n(small_.begin() + from * columns, columns, alpha + y * columns);
  std::copy(small_.begin() + from * columns, small_.end(), alpha + (from + removed) * columns);
}

void SampleBlur::Whole::read(int y, int16_t* row) const {
  const int16_t* const from = samples + static_cast<ptrdiff_t>(y) * width;
  const auto count = static_cast<size_t>(width);
  if (isAlpha) {
    std::copy_n(from, count, row);
  } else {
    kernels::widenSamples(row, from, count);
  }
}

void SampleBlur::Whole::write(int y, const int16_t* row) const {
  int16_t* const to = samples + static_cast<ptrdiff_t>(y) * width;
  const auto count = static_cast<size_t>(width);
  if (isAlpha) {
    std::copy_n(row, count, to);
  } else {
    kernels::narrowSamples(to, row, count);
  }
}

void SampleBlur::blurPlane(const Whole& plane, double sigma) {
  rows_.apply(
      plane.width, plane.height, planBlur(sigma), [&](int y, int16_t* row) { plane.read(y, row); },
      [&](int y, const int16_t* row) { plane.write(y, row); });
}

}  // namespace framewright
