#include "compositor/deep/planes/surfaces/sample_blur.h"

#include <algorithm>

#include "compositor/plan/effects/blur_plan.h"
#include "kernels/blur.h"
#include "kernels/deep/surface_rows.h"

namespace framewright {
namespace {

constexpr int kZeroMargin = kMaxBlurReach;  // zero columns at each side of a field
constexpr int kTapsOfHalving = 4;

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

void SampleBlur::Field::fit(int fieldWidth, int fieldHeight) {
  // The contents are overwritten, and the zero margins are intact.
  if (width == fieldWidth && height == fieldHeight) return;
  width = fieldWidth;
  height = fieldHeight;
  step = static_cast<size_t>(width) + 2 * kZeroMargin;
  samples.resize(step * static_cast<size_t>(height));
  for (int y = 0; y < height; ++y) {
    std::fill_n(row(y) - kZeroMargin, kZeroMargin, int16_t{0});
    std::fill_n(row(y) + width, kZeroMargin, int16_t{0});
  }
}

int16_t* SampleBlur::Field::row(int y) { return &samples[static_cast<size_t>(y) * step + kZeroMargin]; }

const int16_t* SampleBlur::rowOrZero(Field& field, int y) {
  return y < 0 || y >= field.height ? &zeros_[kZeroMargin] : field.row(y);
}

void SampleBlur::apply(PlaneSurface& surface, double sigma) {
  for (const PlaneGroup group : kPlaneGroups) {
    OverlaySamples& samples = surface.of(group);
    const double own = group == PlaneGroup::kLuma ? sigma : sigma / 2;
    for (std::vector<int16_t>& plane : samples.colours)
      if (!plane.empty()) blurPlane(plane.data(), samples.width, samples.height, own, false);
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
  if (removed <= 0) return blurPlane(alpha, width, height, sigma, true);
  const auto columns = static_cast<ptrdiff_t>(width);
  small_.assign(alpha, alpha + from * columns);
  small_.insert(small_.end(), alpha + (from + removed) * columns, alpha + height * columns);
  blurPlane(small_.data(), width, height - removed, sigma, true);
  std::copy_n(small_.begin(), from * columns, alpha);
  for (int y = from; y < from + removed; ++y)
    std::copy_n(small_.begin() + from * columns, columns, alpha + y * columns);
  std::copy(small_.begin() + from * columns, small_.end(), alpha + (from + removed) * columns);
}

void SampleBlur::blurPlane(int16_t* plane, int width, int height, double sigma, bool isAlpha) {
  const BlurPlan plan = planBlur(sigma);
  if (plan.sigma <= 0) return;
  zeros_.assign(static_cast<size_t>(width) + 2 * kZeroMargin, 0);
  levels_.resize(std::max(levels_.size(), plan.halvings + 1));
  for (size_t i = 0; i <= plan.halvings; ++i)
    levels_[i].fit((width + (1 << i) - 1) >> i, (height + (1 << i) - 1) >> i);
  const auto count = static_cast<size_t>(width);
  for (int y = 0; y < height; ++y) {
    const int16_t* const from = plane + static_cast<ptrdiff_t>(y) * width;
    if (isAlpha) {
      std::copy_n(from, count, levels_[0].row(y));
    } else {
      kernels::widenSamples(levels_[0].row(y), from, count);
    }
  }
  for (size_t i = 0; i < plan.halvings; ++i) halve(levels_[i], levels_[i + 1]);
  convolve(levels_[plan.halvings], plan.sigma);
  for (size_t i = plan.halvings; i > 0; --i) doubleUp(levels_[i], levels_[i - 1]);
  for (int y = 0; y < height; ++y) {
    int16_t* const to = plane + static_cast<ptrdiff_t>(y) * width;
    if (isAlpha) {
      std::copy_n(levels_[0].row(y), count, to);
    } else {
      kernels::narrowSamples(to, levels_[0].row(y), count);
    }
  }
}

void SampleBlur::convolve(Field& field, double sigma) {
  int16_t weights[kMaxBlurTaps];
  const int taps = makeBlurFilter(weights, sigma), reach = taps / 2;
  const int16_t* from[kMaxBlurTaps];
  const auto count = static_cast<size_t>(field.width);
  ring_.fit(field.width, taps);
  for (int y = 0; y < field.height + reach; ++y) {
    if (y < field.height) {
      const int16_t* const row = field.row(y);
      for (int t = 0; t < taps; ++t) from[t] = row + t - reach;
      kernels::weighRows(ring_.row(y % taps), from, weights, taps, count);
    }
    const int done = y - reach;
    if (done < 0) continue;
    for (int t = 0; t < taps; ++t) {
      const int above = done + t - reach;
      from[t] = above < 0 || above >= field.height ? &zeros_[kZeroMargin] : ring_.row(above % taps);
    }
    kernels::weighRows(field.row(done), from, weights, taps, count);
  }
}

void SampleBlur::halve(Field& from, Field& to) {
  constexpr int16_t kWeights[kTapsOfHalving] = {4096, 12288, 12288, 4096};
  line_.fit(from.width, 1);
  for (int y = 0; y < to.height; ++y) {
    const int16_t* taps[kTapsOfHalving];
    for (int t = 0; t < kTapsOfHalving; ++t) taps[t] = rowOrZero(from, 2 * y + t - 1);
    kernels::weighRows(line_.row(0), taps, kWeights, kTapsOfHalving, static_cast<size_t>(from.width));
    kernels::halveColumns(to.row(y), line_.row(0), static_cast<size_t>(to.width));
  }
}

void SampleBlur::doubleUp(Field& from, Field& to) {
  constexpr int16_t kWeights[] = {8192, 24576};
  line_.fit(from.width, 1);
  for (int y = 0; y < to.height; ++y) {
    const int16_t* const taps[2] = {rowOrZero(from, y / 2 + (y % 2 == 0 ? -1 : 1)), rowOrZero(from, y / 2)};
    kernels::weighRows(line_.row(0), taps, kWeights, 2, static_cast<size_t>(from.width));
    kernels::doubleColumns(to.row(y), line_.row(0), static_cast<size_t>(from.width));
    // A column of an odd width may be in the margin, which others expect to be zero.
    to.row(y)[to.width] = 0;
  }
}

}  // namespace framewright
