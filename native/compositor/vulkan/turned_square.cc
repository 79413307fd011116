#include "compositor/vulkan/turned_square.h"

#include <algorithm>
#include <cmath>

namespace framewright::gpu {

TurnedSquare::TurnedSquare(const Affine& toSurface, PlaneGroup group) {
  const Affine unit = inverse(toSurface) * canvasFromPlane(group);
  const double across = std::hypot(unit.xx, unit.xy), along = std::hypot(unit.yx, unit.yy);
  slabs_[0] = {unit.xx / across, unit.xy / across, unit.dx / across, 1 / across};
  slabs_[1] = {unit.yx / along, unit.yy / along, unit.dy / along, 1 / along};
  const Affine corners = inverse(canvasFromPlane(group)) * toSurface;
  top_ = corners.dy + std::min({0.0, corners.yx, corners.yy, corners.yx + corners.yy});
  bottom_ = corners.dy + std::max({0.0, corners.yx, corners.yy, corners.yx + corners.yy});
}

int TurnedSquare::firstRow(const AxisCoverage& rows) const {
  return static_cast<int>(std::clamp(std::floor(top_) - 1, rows.first * 1.0, rows.end * 1.0));
}

int TurnedSquare::endRow(const AxisCoverage& rows) const {
  return static_cast<int>(std::clamp(std::ceil(bottom_) + 1, rows.first * 1.0, rows.end * 1.0));
}

TurnedSquare::Span TurnedSquare::span(int row, const AxisCoverage& columns) const {
  const double y = row + 0.5;
  double from = columns.first, to = columns.end, fullFrom = columns.fullFirst, fullTo = columns.fullEnd;
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
  span.first = std::max(columns.first, static_cast<int>(std::floor(from)));
  span.end = std::min(columns.end, static_cast<int>(std::ceil(to)));
  if (from >= to || span.first >= span.end) return {};
  span.fullFirst = std::clamp(static_cast<int>(std::ceil(fullFrom)), span.first, span.end);
  span.fullEnd = std::clamp(static_cast<int>(std::floor(fullTo)), span.fullFirst, span.end);
  return span;
}

double TurnedSquare::covered(int x, int y) const {
  double share = 1;
  for (const Slab& slab : slabs_) {
    const double near = slab.a * (x + 0.5) + slab.b * (y + 0.5) + slab.c, far = slab.width - near;
    share *= std::max(0.0, std::clamp(near + 0.5, 0.0, 1.0) + std::clamp(far + 0.5, 0.0, 1.0) - 1);
  }
  return share;
}

}  // namespace framewright::gpu
