#pragma once

#include "compositor/plan/coverage.h"

// What layers that cover rectangles share.
namespace framewright {

inline SampleRange rangeOf(const AxisCoverage& axis) { return {axis.first, axis.end}; }

// Whether all columns are covered completely in a covered row.
inline bool isFullRow(const RectCoverage& coverage, int y, double opacity) {
  return opacity >= 1 && coverage.columns.isFull() && coverage.rows.at(y) == kernels::kFullWeight;
}

// Calls visit(first, end, weights) for the parts of an axis: those covered partly, and the one covered
// completely, for which `weights` is null.
template <typename Visit>
void forParts(const AxisCoverage& axis, Visit visit) {
  const auto part = [&](int first, int end, bool isFull) {
    if (end > first)
      visit(first, end, isFull ? nullptr : &axis.weights[static_cast<size_t>(first - axis.first)]);
  };
  part(axis.first, axis.fullFirst, false);
  part(axis.fullFirst, axis.fullEnd, true);
  part(axis.fullEnd, axis.end, false);
}

}  // namespace framewright
