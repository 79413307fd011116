#include "compositor/plan/quad_coverage.h"

#include <algorithm>
#include <cmath>

namespace framewright {

QuadCoverage::QuadCoverage(const Affine& toCanvas, PlaneGroup group) {
  // Unit coordinates of sample positions; division by their gradients gives distances.
  const Affine unit = inverse(toCanvas) * canvasFromPlane(group);
  const double across = std::hypot(unit.xx, unit.xy), along = std::hypot(unit.yx, unit.yy);
  slabs_[0] = {unit.xx / across, unit.xy / across, unit.dx / across, 1 / across};
  slabs_[1] = {unit.yx / along, unit.yy / along, unit.dy / along, 1 / along};
  const Affine corners = inverse(canvasFromPlane(group)) * toCanvas;
  top_ = corners.dy + std::min({0.0, corners.yx, corners.yy, corners.yx + corners.yy});
  bottom_ = corners.dy + std::max({0.0, corners.yx, corners.yy, corners.yx + corners.yy});
}

SampleRange QuadCoverage::rows(const AxisCoverage& windowRows) const {
  const auto row = [&](double y) {
    return static_cast<int>(std::clamp(y, windowRows.first * 1.0, windowRows.end * 1.0));
  };
  const int first = row(std::floor(top_) - 1);
  return {first, std::max(first, row(std::ceil(bottom_) + 1))};
}

QuadCoverage::Span QuadCoverage::span(int row, const AxisCoverage& columns, int untrimmedFirst) const {
  const double y = row + 0.5;
  double from = untrimmedFirst, to = columns.end, fullFrom = columns.fullFirst, fullTo = columns.fullEnd;
  for (const Slab& slab : slabs_) {
    const double base = slab.b * y + slab.c;
    const auto clip = [&](double low, double high, double& begin, double& stop) {
      if (std::abs(slab.a) < 1e-9) {
        if (base < low || base > high) stop = begin;
        return;
      }
      const double first = (low - base) / slab.a - 0.5, second = (high - base) / slab.a - 0.5;
      begin = std::max(begin, std::min(first, second));
      stop = std::min(stop, std::max(first, second) + 1);
    };
    clip(-0.5, slab.width + 0.5, from, to);
    clip(0.5, slab.width - 0.5, fullFrom, fullTo);
  }
  Span span;
  span.untrimmedFirst = std::max(untrimmedFirst, static_cast<int>(std::floor(from)));
  span.first = std::max(columns.first, span.untrimmedFirst);
  from = std::max(from, static_cast<double>(columns.first));
  span.end = std::min(columns.end, static_cast<int>(std::ceil(to)));
  if (from >= to || span.empty()) return {};
  span.fullFirst = std::clamp(static_cast<int>(std::ceil(fullFrom)), span.first, span.end);
  span.fullEnd = std::clamp(static_cast<int>(std::floor(fullTo)), span.fullFirst, span.end);
  return span;
}

double QuadCoverage::inside(const Slab& slab, int x, int y) {
  const double near = slab.a * (x + 0.5) + slab.b * (y + 0.5) + slab.c, far = slab.width - near;
  return std::max(0.0, std::clamp(near + 0.5, 0.0, 1.0) + std::clamp(far + 0.5, 0.0, 1.0) - 1);
}

}  // namespace framewright
