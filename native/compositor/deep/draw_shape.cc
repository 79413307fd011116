#include "compositor/deep/draw_shape.h"

#include <algorithm>
#include <cmath>

#include "compositor/deep/draw_image.h"

namespace framewright {
namespace {

void fillAligned(FloatImage& to, const kernels::FloatColor& color, const RectCoverage& coverage,
                 float opacity) {
  const AxisCoverage &columns = coverage.columns, &rows = coverage.rows;
  std::vector<float> weights;
  writeWeights(weights, columns.weights);
  for (int y = rows.first; y < rows.end; ++y) {
    kernels::fillFloats(to.at(columns.first, y), color, columns.isFull() ? nullptr : weights.data(),
                        opacity * static_cast<float>(rows.at(y)) * kCoverageUnit, weights.size());
  }
}

}  // namespace

void fillShape(FloatImage& to, const kernels::FloatColor& color, const Affine& toSurface, const Rect& window,
               float opacity) {
  RectCoverage coverage;
  if (toSurface.isAxisAligned()) {
    coverage.cover(intersection(axisAlignedRect(toSurface), window), to.size(), PlaneGroup::kLuma);
    if (!coverage.empty()) fillAligned(to, color, coverage, opacity);
    return;
  }
  coverage.cover(window, to.size(), PlaneGroup::kLuma);
  if (coverage.empty()) return;
  const QuadCoverage quad(toSurface, PlaneGroup::kLuma);
  const SampleRange range = quad.rows(coverage.rows);
  std::vector<float> weights;
  for (int y = range.first; y < range.end; ++y) {
    const QuadCoverage::Span span = quad.span(y, coverage.columns, coverage.columns.first);
    if (span.empty()) continue;
    weights.resize(static_cast<size_t>(span.end - span.first));
    for (int x = span.first; x < span.end; ++x) {
      const bool isInside = x >= span.fullFirst && x < span.fullEnd;
      weights[static_cast<size_t>(x - span.first)] =
          (isInside ? 1.0f : static_cast<float>(quad.covered(x, y))) *
          static_cast<float>(coverage.columns.at(x)) * kCoverageUnit;
    }
    kernels::fillFloats(to.at(span.first, y), color, weights.data(),
                        opacity * static_cast<float>(coverage.rows.at(y)) * kCoverageUnit, weights.size());
  }
}

BoxWeights::BoxWeights(const CanvasSize& surface, const Affine& box, double width, double height,
                       double radius)
    : surface_(surface),
      quad_(box, PlaneGroup::kLuma),
      toBox_(scaling(width, height) * inverse(box)),
      width_(width),
      height_(height),
      radius_(std::min(radius, std::min(width, height) / 2)) {
  everything_.cover(surface.rect(), surface, PlaneGroup::kLuma);
  rows_ = quad_.rows(everything_.rows);
}

void BoxWeights::write(int y, float* weights) const {
  std::fill_n(weights, surface_.width, 0.0f);
  if (y < rows_.first || y >= rows_.end) return;
  const QuadCoverage::Span span = quad_.span(y, everything_.columns, everything_.columns.first);
  if (span.empty()) return;
  std::fill(weights + span.fullFirst, weights + span.fullEnd, 1.0f);
  const auto covered = [&](int x) { return static_cast<float>(quad_.covered(x, y)); };
  for (int x = span.first; x < span.fullFirst; ++x) weights[x] = covered(x);
  for (int x = span.fullEnd; x < span.end; ++x) weights[x] = covered(x);
  if (radius_ <= 0) return;
  const SampleRange straight = straightColumns(y, span);
  for (int x = span.first; x < straight.first; ++x)
    weights[x] = std::min(weights[x], insideCorners(x + 0.5, y + 0.5));
  for (int x = straight.end; x < span.end; ++x)
    weights[x] = std::min(weights[x], insideCorners(x + 0.5, y + 0.5));
}

bool BoxWeights::isStraight(int y) const {
  constexpr double kEdge = 2;  // surface pixels
  if (!toBox_.isAxisAligned() || toBox_.xx <= 0 || toBox_.yy <= 0) return false;
  const double margin = std::max(radius_, kEdge * toBox_.yy), boxY = toBox_.yy * (y + 0.5) + toBox_.dy;
  return boxY >= margin && boxY <= height_ - margin;
}

// The columns of a row that no corner of an axis-aligned box rounds; none if the box is rotated.
SampleRange BoxWeights::straightColumns(int y, const QuadCoverage::Span& span) const {
  if (!toBox_.isAxisAligned() || toBox_.xx <= 0) return {span.end, span.end};
  const double boxY = toBox_.yy * (y + 0.5) + toBox_.dy;
  if (boxY >= radius_ && boxY <= height_ - radius_) return {span.first, span.end};
  const auto column = [&](double boxX) { return (boxX - toBox_.dx) / toBox_.xx - 0.5; };
  const int first = std::clamp(static_cast<int>(std::ceil(column(radius_))), span.first, span.end);
  const int end = static_cast<int>(std::floor(column(width_ - radius_))) + 1;
  return {first, std::clamp(end, first, span.end)};
}

// The circle of a corner touches the straight edges, so the smaller share applies.
float BoxWeights::insideCorners(double x, double y) const {
  const double boxX = toBox_.xx * x + toBox_.xy * y + toBox_.dx,
               boxY = toBox_.yx * x + toBox_.yy * y + toBox_.dy;
  const double dx = boxX < radius_ ? boxX - radius_ : std::max(0.0, boxX - (width_ - radius_));
  const double dy = boxY < radius_ ? boxY - radius_ : std::max(0.0, boxY - (height_ - radius_));
  if (dx == 0 || dy == 0) return 1;
  const double length = std::sqrt(dx * dx + dy * dy);
  // Gradient of the distance per surface pixel; differs from 1 for unevenly scaled boxes.
  const double gx = toBox_.xx * dx + toBox_.yx * dy, gy = toBox_.xy * dx + toBox_.yy * dy;
  const double growth = std::sqrt(gx * gx + gy * gy) / length;
  return static_cast<float>(std::clamp(0.5 - (length - radius_) / growth, 0.0, 1.0));
}

void keepInside(FloatImage& image, const BoxWeights& box) {
  const auto width = static_cast<size_t>(image.width());
  std::vector<float> weights(width);
  for (int y = 0; y < image.height(); ++y) {
    box.write(y, weights.data());
    for (int channel = 0; channel < image.channels(); ++channel)
      kernels::multiplyFloats(image.row(channel, y), weights.data(), width);
  }
}

}  // namespace framewright
