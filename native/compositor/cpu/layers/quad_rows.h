#pragma once

#include <cstdint>
#include <vector>

#include "compositor/plan/quad_coverage.h"

namespace framewright {

// Row-by-row weights of a rotated or sheared unit square on the planes of one group. Used by one thread.
class QuadRows {
 public:
  // `window` is the coverage of the layer's window, trimmed to the drawn part; `untrimmedFirst` is its first
  // column before trimming. `window` must outlive the use.
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
