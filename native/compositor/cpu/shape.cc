#include "compositor/cpu/shape.h"

#include <algorithm>
#include <cmath>

namespace framewright {

Rect intersection(const Rect& a, const Rect& b) {
  const double x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(0.0, std::min(a.right(), b.right()) - x),
          std::max(0.0, std::min(a.bottom(), b.bottom()) - y)};
}

Rect drawnRect(const Affine& m) {
  return {std::min(m.dx, m.dx + m.xx), std::min(m.dy, m.dy + m.yy), std::abs(m.xx), std::abs(m.yy)};
}

void RectCoverage::cover(const Rect& rect, const CanvasSize& canvas, PlaneGroup group) {
  const int pixelsPerSample = group == PlaneGroup::kLuma ? 1 : 2;
  coverAxis(columns, rect.x, rect.right(), canvas.width, pixelsPerSample);
  coverAxis(rows, rect.y, rect.bottom(), canvas.height, pixelsPerSample);
}

void RectCoverage::trim(const PixelRect& part, PlaneGroup group) {
  const SampleRange across = samplesOf(part.left, part.right, group),
                    down = samplesOf(part.top, part.bottom, group);
  columns.trim(across.first, across.end);
  rows.trim(down.first, down.end);
}

void QuadCoverage::cover(const Affine& toCanvas, PlaneGroup group, const RectCoverage& window,
                         int firstColumn) {
  // Unit coordinates of sample positions; their gradients turn them into distances.
  const Affine unit = inverse(toCanvas) * canvasFromPlane(group);
  const double across = std::hypot(unit.xx, unit.xy), along = std::hypot(unit.yx, unit.yy);
  slabs_[0] = {unit.xx / across, unit.xy / across, unit.dx / across, 1 / across};
  slabs_[1] = {unit.yx / along, unit.yy / along, unit.dy / along, 1 / along};
  window_ = &window;
  firstColumn_ = firstColumn;
  const Affine corners = inverse(canvasFromPlane(group)) * toCanvas;
  const double top = corners.dy + std::min({0.0, corners.yx, corners.yy, corners.yx + corners.yy});
  const double bottom = corners.dy + std::max({0.0, corners.yx, corners.yy, corners.yx + corners.yy});
  const AxisCoverage& rows = window.rows;
  const auto row = [&](double y) {
    return static_cast<int>(std::clamp(y, rows.first * 1.0, rows.end * 1.0));
  };
  firstRow_ = row(std::floor(top) - 1);
  endRow_ = row(std::ceil(bottom) + 1);
}

double QuadCoverage::inside(const Slab& slab, double x, double y) {
  const double near = slab.a * x + slab.b * y + slab.c;
  const double far = slab.width - near;
  return std::max(0.0, std::clamp(near + 0.5, 0.0, 1.0) + std::clamp(far + 0.5, 0.0, 1.0) - 1);
}

bool QuadCoverage::coverRow(int row, double opacity) {
  const double y = row + 0.5;
  const AxisCoverage& columns = window_->columns;
  // Samples that are touched, and those wholly inside, from where the row crosses the edges' soft borders.
  double from = firstColumn_, to = columns.end, fullFrom = columns.fullFirst, fullTo = columns.fullEnd;
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
  wholeFirst = std::max(firstColumn_, static_cast<int>(std::floor(from)));
  first = std::max(columns.first, wholeFirst);
  from = std::max(from, static_cast<double>(columns.first));
  end = std::min(columns.end, static_cast<int>(std::ceil(to)));
  if (from >= to || first >= end) return false;
  const double rowOpacity = opacity * window_->rows.at(row) / kernels::kFullWeight;
  weights.resize(static_cast<size_t>(end - first));
  const int fullFirst = std::clamp(static_cast<int>(std::ceil(fullFrom)), first, end);
  const int fullEnd = std::clamp(static_cast<int>(std::floor(fullTo)), fullFirst, end);
  const auto edge = [&](int x) {
    const double covered = inside(slabs_[0], x + 0.5, y) * inside(slabs_[1], x + 0.5, y);
    weights[static_cast<size_t>(x - first)] =
        toWeight(covered * rowOpacity * columns.at(x) / kernels::kFullWeight);
  };
  for (int x = first; x < fullFirst; ++x) edge(x);
  std::fill(weights.begin() + (fullFirst - first), weights.begin() + (fullEnd - first), toWeight(rowOpacity));
  for (int x = fullEnd; x < end; ++x) edge(x);
  return true;
}

}  // namespace framewright
