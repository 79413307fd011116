#include "compositor/cpu/layers/quad_rows.h"

#include <algorithm>

namespace framewright {

void QuadRows::begin(const Affine& toCanvas, PlaneGroup group, const RectCoverage& window,
                     int untrimmedFirst) {
  quad_ = QuadCoverage(toCanvas, group);
  rows_ = quad_.rows(window.rows);
  window_ = &window;
  untrimmedFirst_ = untrimmedFirst;
}

bool QuadRows::cover(int row, double opacity) {
  const AxisCoverage& columns = window_->columns;
  span = quad_.span(row, columns, untrimmedFirst_);
  if (span.empty()) return false;
  const double rowOpacity = opacity * window_->rows.at(row) / kernels::kFullWeight;
  weights.resize(static_cast<size_t>(span.end - span.first));
  const auto weighEdge = [&](int x) {
    weights[static_cast<size_t>(x - span.first)] =
        toWeight(quad_.covered(x, row) * rowOpacity * columns.at(x) / kernels::kFullWeight);
  };
  for (int x = span.first; x < span.fullFirst; ++x) weighEdge(x);
  std::fill(weights.begin() + (span.fullFirst - span.first), weights.begin() + (span.fullEnd - span.first),
            toWeight(rowOpacity));
  for (int x = span.fullEnd; x < span.end; ++x) weighEdge(x);
  return true;
}

}  // namespace framewright
