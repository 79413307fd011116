#include "compositor/cpu/effects/gaussian_blur.h"

#include "compositor/plan/effects/blur_plan.h"
#include "kernels/blur.h"

namespace framewright {
namespace {

constexpr int kMargin = kMaxBlurReach;  // zero columns at each side of a field

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
  for (const Plane* plane : {&planes.y, &planes.alpha}) blurPlane(*plane, sigma);
  for (const Plane* plane : {&planes.u, &planes.v, &planes.chromaAlpha}) blurPlane(*plane, sigma / 2);
}

void GaussianBlur::blurPlane(const Plane& plane, double sigma) {
  const BlurPlan plan = planBlur(sigma);
  if (plan.sigma <= 0) return;
  const size_t halvings = plan.halvings;
  if (levels_.size() <= halvings) levels_.resize(halvings + 1);
  zeros_.assign(static_cast<size_t>(plane.width) + 2 * kMargin, 0);
  int width = plane.width, height = plane.height;
  for (size_t i = 0; i <= halvings; ++i) {
    levels_[i].field.fit(width, height);
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  const auto count = static_cast<size_t>(plane.width);
  for (int y = 0; y < plane.height; ++y) {
    kernels::widenRow(levels_[0].field.row(y), plane.data + y * plane.stride, count);
  }
  for (size_t i = 0; i < halvings; ++i) halve(levels_[i].field, levels_[i].rows, levels_[i + 1].field);
  convolve(levels_[halvings].field, levels_[halvings].rows, plan.sigma);
  for (size_t i = halvings; i > 0; --i) doubleUp(levels_[i].field, levels_[i].rows, levels_[i - 1].field);
  for (int y = 0; y < plane.height; ++y) {
    kernels::narrowRow(plane.data + y * plane.stride, levels_[0].field.row(y), count);
  }
}

void GaussianBlur::convolve(Field& field, Field& rows, double sigma) {
  int16_t weights[kMaxBlurTaps];
  const int taps = makeBlurFilter(weights, sigma), reach = taps / 2;
  const int16_t* from[kMaxBlurTaps];
  const auto count = static_cast<size_t>(field.width);
  rows.fit(field.width, field.height);
  for (int y = 0; y < field.height; ++y) {
    for (int t = 0; t < taps; ++t) from[t] = field.row(y) + t - reach;
    kernels::weighRows(rows.row(y), from, weights, taps, count);
  }
  for (int y = 0; y < field.height; ++y) {
    for (int t = 0; t < taps; ++t) from[t] = rows.rowOrZero(y + t - reach, zeros_);
    kernels::weighRows(field.row(y), from, weights, taps, count);
  }
}

void GaussianBlur::halve(const Field& from, Field& rows, Field& to) {
  constexpr int16_t kWeights[] = {4096, 12288, 12288, 4096};
  rows.fit(from.width, to.height);
  for (int y = 0; y < to.height; ++y) {
    const int16_t* taps[4];
    for (int t = 0; t < 4; ++t) taps[t] = from.rowOrZero(2 * y + t - 1, zeros_);
    kernels::weighRows(rows.row(y), taps, kWeights, 4, static_cast<size_t>(from.width));
    kernels::halveColumns(to.row(y), rows.row(y), static_cast<size_t>(to.width));
  }
}

void GaussianBlur::doubleUp(const Field& from, Field& rows, Field& to) {
  constexpr int16_t kWeights[] = {8192, 24576};
  rows.fit(from.width, to.height);
  for (int y = 0; y < to.height; ++y) {
    const int16_t* const taps[2] = {from.rowOrZero(y / 2 + (y % 2 == 0 ? -1 : 1), zeros_),
                                    from.rowOrZero(y / 2, zeros_)};
    kernels::weighRows(rows.row(y), taps, kWeights, 2, static_cast<size_t>(from.width));
    // May write one sample into the margin, which later readers expect to be zero.
    kernels::doubleColumns(to.row(y), rows.row(y), static_cast<size_t>(from.width));
    if (to.width % 2 == 1) to.row(y)[to.width] = 0;
  }
}

}  // namespace framewright
