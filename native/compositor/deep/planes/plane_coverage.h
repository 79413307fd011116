#pragma once

#include <array>

#include "compositor/plan/coverage.h"

namespace framewright {

// Coverage of a rectangle on both plane groups. That of chroma is filtered from that of luma as colours are:
// [1 2 1] around even columns, the mean of two rows.
struct PlaneCoverage {
  std::array<RectCoverage, 2> groups;  // by PlaneGroup

  PlaneCoverage(const Rect& rect, const CanvasSize& canvas);
  const RectCoverage& of(PlaneGroup group) const { return groups[static_cast<size_t>(group)]; }
  bool empty() const { return groups[0].empty(); }
};

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

// Writes the weights of the covered columns, times that of a row and `shape`, which may be null. Both rows
// start in column 0.
void writeShare(const RectCoverage& coverage, uint16_t rowWeight, const uint16_t* shape, uint16_t* weights);

// Weights of a chroma row from those of two luma rows; `width` is that of luma.
void chromaWeights(uint16_t* chroma, const uint16_t* top, const uint16_t* bottom, int width);

// A plane group's number of columns or rows.
inline int samplesAlong(int pixels, PlaneGroup group) {
  return group == PlaneGroup::kLuma ? pixels : (pixels + 1) / 2;
}

}  // namespace framewright
