#pragma once

#include <cstdint>
#include <vector>

#include "compositor/plan/pixel_rect.h"
#include "compositor/plan/plane_mapping.h"
#include "kernels/blend/blend.h"

namespace framewright {

// Coverage of the samples of one axis of a plane by an interval, as Q15 weights. Samples outside [first, end)
// are uncovered.
struct AxisCoverage {
  int first = 0, end = 0;
  int fullFirst = 0, fullEnd = 0;  // completely covered samples
  std::vector<uint16_t> weights;   // of samples first … end - 1

  int count() const { return end - first; }
  bool empty() const { return end <= first; }
  bool isFull() const { return fullFirst == first && fullEnd == end; }
  // Limits the coverage to samples low … high - 1.
  void trim(int low, int high);
  uint16_t at(int sample) const { return weights[static_cast<size_t>(sample - first)]; }
};

// Computes the coverage of [from, to) on an axis of `pixels` canvas pixels. A chroma sample stands for two
// whole pixels, so that content on even pixels keeps its colour up to its edge.
void coverAxis(AxisCoverage& coverage, double from, double to, int pixels, int pixelsPerSample);

// Coverage of an axis-aligned rectangle on the planes of one group.
struct RectCoverage {
  AxisCoverage columns, rows;

  void cover(const Rect& rect, const CanvasSize& canvas, PlaneGroup group);
  // Limits the coverage to samples of `part`.
  void trim(const PixelRect& part, PlaneGroup group);
  bool empty() const { return columns.empty() || rows.empty(); }
};

// A fraction 0 … 1 as a Q15 weight, rounded; values outside are clamped.
uint16_t toWeight(double fraction);
// The product of two Q15 weights, rounded.
inline uint16_t weightProduct(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>((static_cast<uint32_t>(a) * b + kernels::kFullWeight / 2) /
                               kernels::kFullWeight);
}

}  // namespace framewright
