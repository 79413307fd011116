#pragma once

#include <cstdint>
#include <vector>

#include "compositor/plan/quad_coverage.h"

namespace framewright {

// Weights of a rotated or sheared unit square, row by row, on the planes of one group. Used by one thread.
class QuadRows {
 public:
  // `window` is the coverage of the layer's window, trimmed to the drawn part; `untrimmedFirst` was its first
  // column before. Keeps a pointer to `window`.
  void begin(const Affine& toCanvas, PlaneGroup group, const RectCoverage& window, int untrimmedFirst);
  // Rows that may be covered.
  const SampleRange& rows() const { return rows_; }
  // Computes `span` and `weights` of a row, times `opacity`. False when it covers no sample.
  bool cover(int row, double opacity);

  QuadCoverage::Span span;
  std::vector<uint16_t> weights;  // Q15, of samples span.first … span.end - 1

 private:
  QuadCoverage quad_;
  SampleRange rows_{0, 0};
  const RectCoverage* window_ = nullptr;
  int untrimmedFirst_ = 0;
};

}  // namespace framewright
