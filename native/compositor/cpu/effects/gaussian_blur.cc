#include "compositor/cpu/effects/gaussian_blur.h"

#include <algorithm>

#include "compositor/cpu/effects/cut_plane.h"
#include "compositor/plan/effects/blur_plan.h"
#include "core/planes.h"
#include "kernels/blur.h"

namespace framewright {
namespace {

constexpr int kMargin = kMaxBlurReach;  // zero columns at each side of a field
constexpr int kHalvingTaps = 4;

}  // namespace

void GaussianBlur::Field::fit(int fieldWidth, int fieldHeight) {
  // The contents are overwritten, and the zero margins are intact.
  if (width == fieldWidth && height == fieldHeight) return;
  width = fieldWidth;
  height = fieldHeight;
  step = static_cast<size_t>(width) + 2 * kMargin;
  samples.assign(step * static_cast<size_t>(height), 0);
}

int16_t* GaussianBlur::Field::row(int y) { return &samples[static_cast<size_t>(y) * step + kMargin]; }

const int16_t* GaussianBlur::Field::rowOrZero(int y, const std::vector<int16_t>& zeros) const {
  if (y < 0 || y >= height) return &zeros[kMargin];
  return &samples[static_cast<size_t>(y) * step + kMargin];
}

void GaussianBlur::apply(const Surface& surface, double sigma) {
  const ImagePlanes& planes = surface.planes;
  blurPlane(planes.y, sigma);
  blurAlpha(planes.alpha, sigma);
  for (const Plane* plane : {&planes.u, &planes.v}) blurPlane(*plane, sigma / 2);
  blurAlpha(planes.chromaAlpha, sigma / 2);
}

void GaussianBlur::blurPlane(const Plane& plane, double sigma) {
  const BlurPlan plan = planBlur(sigma);
  if (plan.sigma <= 0) return;
  zeros_.assign(static_cast<size_t>(plane.width) + 2 * kMargin, 0);
  if (plan.halvings == 0) {
    convolve(plane, plan.sigma);
    return;
  }
  if (levels_.size() < plan.halvings) levels_.resize(plan.halvings);
  int width = plane.width, height = plane.height;
  for (size_t i = 0; i < plan.halvings; ++i) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    levels_[i].fit(width, height);
  }
  halve(plane, levels_[0]);
  for (size_t i = 1; i < plan.halvings; ++i) halve(levels_[i - 1], levels_[i]);
  convolve(levels_[plan.halvings - 1], plan.sigma);
  for (size_t i = plan.halvings - 1; i > 0; --i) doubleUp(levels_[i], levels_[i - 1]);
  doubleUp(levels_[0], plane);
}

void GaussianBlur::blurAlpha(const Plane& plane, double sigma) {
  const BlurPlan plan = planBlur(sigma);
  const int unit = 1 << plan.halvings;
  int16_t weights[kMaxBlurTaps];
  // What the result of a sample depends on; halving and doubling reach three samples.
  const int reach = plan.sigma > 0 ? (makeBlurFilter(weights, plan.sigma) / 2 + 3) * unit : 0;
  const std::optional<CutPlane> cut = plan.sigma > 0 ? cutUniform(plane, reach, unit) : std::nullopt;
  if (!cut) {
    blurPlane(plane, sigma);
    return;
  }
  small_.resize(static_cast<size_t>(cut->width()) * static_cast<size_t>(cut->height()));
  const Plane small{small_.data(), cut->width(), cut->width(), cut->height()};
  cut->shrink(plane, small);
  blurPlane(small, sigma);
  cut->expand(small, plane);
}

template <typename Read, typename Write>
void GaussianBlur::convolveRows(int width, int height, double sigma, Read readRow, Write writeRow) {
  int16_t weights[kMaxBlurTaps];
  const int taps = makeBlurFilter(weights, sigma), reach = taps / 2;
  const int16_t* from[kMaxBlurTaps];
  const auto count = static_cast<size_t>(width);
  ring_.fit(width, taps);
  for (int y = 0; y < height + reach; ++y) {
    if (y < height) {
      const int16_t* const row = readRow(y);
      for (int t = 0; t < taps; ++t) from[t] = row + t - reach;
      kernels::weighRows(ring_.row(y % taps), from, weights, taps, count);
    }
    const int done = y - reach;
    if (done < 0) continue;
    for (int t = 0; t < taps; ++t) {
      const int above = done + t - reach;
      from[t] = above < 0 || above >= height ? &zeros_[kMargin] : ring_.row(above % taps);
    }
    writeRow(done, from, weights, taps);
  }
}

void GaussianBlur::convolve(const Plane& plane, double sigma) {
  const auto count = static_cast<size_t>(plane.width);
  line_.fit(plane.width, 1);
  const auto readRow = [&](int y) {
    kernels::widenRow(line_.row(0), rowOf(plane, y), count);
    return line_.row(0);
  };
  convolveRows(plane.width, plane.height, sigma, readRow,
               [&](int y, const int16_t* const* rows, const int16_t* weights, int taps) {
                 kernels::weighRows(line_.row(0), rows, weights, taps, count);
                 kernels::narrowRow(rowOf(plane, y), line_.row(0), count);
               });
}

void GaussianBlur::convolve(Field& field, double sigma) {
  convolveRows(
      field.width, field.height, sigma, [&](int y) { return field.row(y); },
      [&](int y, const int16_t* const* rows, const int16_t* weights, int taps) {
        kernels::weighRows(field.row(y), rows, weights, taps, static_cast<size_t>(field.width));
      });
}

void GaussianBlur::halveRows(int16_t* dst, const int16_t* const* taps, int width) {
  constexpr int16_t kWeights[kHalvingTaps] = {4096, 12288, 12288, 4096};
  kernels::weighRows(line_.row(0), taps, kWeights, kHalvingTaps, static_cast<size_t>(width));
  kernels::halveColumns(dst, line_.row(0), static_cast<size_t>((width + 1) / 2));
}

void GaussianBlur::halve(const Plane& from, Field& to) {
  line_.fit(from.width, 1);
  ring_.fit(from.width, kHalvingTaps);
  int read = 0;
  for (int y = 0; y < to.height; ++y) {
    for (; read < std::min(2 * y + 3, from.height); ++read)
      kernels::widenRow(ring_.row(read % kHalvingTaps), rowOf(from, read), static_cast<size_t>(from.width));
    const int16_t* taps[kHalvingTaps];
    for (int t = 0; t < kHalvingTaps; ++t) {
      const int row = 2 * y + t - 1;
      taps[t] = row < 0 || row >= from.height ? &zeros_[kMargin] : ring_.row(row % kHalvingTaps);
    }
    halveRows(to.row(y), taps, from.width);
  }
}

void GaussianBlur::halve(const Field& from, Field& to) {
  line_.fit(from.width, 1);
  for (int y = 0; y < to.height; ++y) {
    const int16_t* taps[kHalvingTaps];
    for (int t = 0; t < kHalvingTaps; ++t) taps[t] = from.rowOrZero(2 * y + t - 1, zeros_);
    halveRows(to.row(y), taps, from.width);
  }
}

void GaussianBlur::doubleRow(int16_t* dst, const Field& from, int y) {
  constexpr int16_t kWeights[] = {8192, 24576};
  const int16_t* const taps[2] = {from.rowOrZero(y / 2 + (y % 2 == 0 ? -1 : 1), zeros_),
                                  from.rowOrZero(y / 2, zeros_)};
  kernels::weighRows(line_.row(0), taps, kWeights, 2, static_cast<size_t>(from.width));
  kernels::doubleColumns(dst, line_.row(0), static_cast<size_t>(from.width));
}

void GaussianBlur::doubleUp(const Field& from, const Plane& to) {
  line_.fit(from.width, 1);
  ring_.fit(to.width, 1);
  for (int y = 0; y < to.height; ++y) {
    doubleRow(ring_.row(0), from, y);
    // A column of an odd width may be in the margin, which others expect to be zero.
    ring_.row(0)[to.width] = 0;
    kernels::narrowRow(rowOf(to, y), ring_.row(0), static_cast<size_t>(to.width));
  }
}

void GaussianBlur::doubleUp(const Field& from, Field& to) {
  line_.fit(from.width, 1);
  for (int y = 0; y < to.height; ++y) {
    doubleRow(to.row(y), from, y);
    to.row(y)[to.width] = 0;
  }
}

}  // namespace framewright
