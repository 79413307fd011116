#pragma once

#include <cstdint>
#include <vector>

#include "kernels/blend.h"

namespace framewright {

// How much of each sample of one axis of a plane lies in an interval, as Q15 weights; samples outside
// [first, end) have none.
struct AxisCoverage {
  int first = 0, end = 0;
  int fullFirst = 0, fullEnd = 0;  // wholly covered samples
  std::vector<uint16_t> weights;   // of first, first + 1, …

  int count() const { return end - first; }
  bool empty() const { return end <= first; }
  bool isFull() const { return fullFirst == first && fullEnd == end; }
  // Forgets all samples but low … high - 1.
  void trim(int low, int high);
  uint16_t at(int sample) const { return weights[static_cast<size_t>(sample - first)]; }
};

// Coverage of [from, to) by the samples of an axis that is `pixels` canvas pixels long. A chroma sample
// stands for its two pixels as wholes, so that what lies on even pixels keeps its own colour to the edge.
void coverAxis(AxisCoverage& coverage, double from, double to, int pixels, int pixelsPerSample);

uint16_t toWeight(double fraction);
inline uint16_t weightProduct(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>((static_cast<uint32_t>(a) * b + kernels::kFullWeight / 2) /
                               kernels::kFullWeight);
}

}  // namespace framewright
