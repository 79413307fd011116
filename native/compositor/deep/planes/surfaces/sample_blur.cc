#include "compositor/deep/planes/surfaces/sample_blur.h"

#include <algorithm>

#include "compositor/deep/planes/plane_layer.h"
#include "compositor/plan/effects/blur_plan.h"
#include "kernels/deep/surface_rows.h"

namespace framewright {
namespace {

// Rows around the middle one that equal it.
SampleRange rowsLikeTheMiddle(const SampleBlur::AlphaPlane& plane) {
  const int middle = plane.height / 2;
  const auto isLike = [&](int y) {
    return std::equal(plane.row(y), plane.row(y) + plane.width, plane.row(middle));
  };
  SampleRange rows{middle, middle + 1};
  while (rows.first > 0 && isLike(rows.first - 1)) --rows.first;
  while (rows.end < plane.height && isLike(rows.end)) ++rows.end;
  return rows;
}

}  // namespace

void SampleBlur::apply(PlaneSurface& surface, double sigma) {
  for (const PlaneGroup group : kPlaneGroups) {
    OverlaySamples& samples = surface.of(group);
    const double own = group == PlaneGroup::kLuma ? sigma : sigma / 2;
    for (size_t i = 0; i < coloursOf(group); ++i) blurColour(samples, i, own);
    blurAlpha({samples.alpha.data(), samples.width, samples.height, samples.width}, own);
  }
}

void SampleBlur::blurAlpha(const AlphaPlane& alpha, double sigma) {
  const BlurPlan plan = planBlur(sigma);
  if (plan.sigma <= 0) return;
  // Equal rows around the middle give equal rows, of which one is enough.
  int16_t weights[kMaxBlurTaps];
  const int unit = 1 << plan.halvings;
  const int reach = (makeBlurFilter(weights, plan.sigma) / 2 + 3) * unit;
  const SampleRange like = rowsLikeTheMiddle(alpha);
  const int from = like.first + reach, removed = (like.end - reach - 1 - from) / unit * unit;
  if (removed <= 0) return blurWhole(alpha, sigma);
  const int width = alpha.width, left = alpha.height - removed;
  small_.resize(static_cast<size_t>(width) * static_cast<size_t>(left));
  const AlphaPlane small{small_.data(), width, left, width};
  const auto rowOf = [&](int y) { return alpha.row(y < from ? y : y + removed); };
  for (int y = 0; y < left; ++y) std::copy_n(rowOf(y), width, small.row(y));
  blurWhole(small, sigma);
  for (int y = 0; y < left; ++y) std::copy_n(small.row(y), width, rowOf(y));
  for (int y = from; y < from + removed; ++y) std::copy_n(small.row(from), width, alpha.row(y));
}

void SampleBlur::blurColour(OverlaySamples& samples, size_t colour, double sigma) {
  const auto count = static_cast<size_t>(samples.width);
  rows_.apply(
      samples.width, samples.height, planBlur(sigma),
      [&](int y, int16_t* row) { kernels::widenSamples(row, colourRow(samples, colour, y), count); },
      [&](int y, const int16_t* row) { kernels::narrowSamples(colourRow(samples, colour, y), row, count); });
}

void SampleBlur::blurWhole(const AlphaPlane& alpha, double sigma) {
  rows_.apply(
      alpha.width, alpha.height, planBlur(sigma),
      [&](int y, int16_t* row) { std::copy_n(alpha.row(y), alpha.width, row); },
      [&](int y, const int16_t* row) { std::copy_n(row, alpha.width, alpha.row(y)); });
}

}  // namespace framewright
