#pragma once

#include <cstdint>
#include <vector>

#include "compositor/plan/coverage.h"
#include "compositor/plan/quad_coverage.h"
#include "core/geometry.h"
#include "kernels/deep/plane_filters.h"

namespace framewright {

// The samples of a plane group under the unit square of a rotating map, inside a window.
class RotatedCoverage {
 public:
  RotatedCoverage(const Affine& shape, const Rect& window, const CanvasSize& canvas, PlaneGroup group);

  SampleRange rows() const { return rows_; }
  QuadCoverage::Span span(int y) const { return quad_.span(y, coverage_.columns, coverage_.columns.first); }
  // The Q15 weights of a span of row y.
  void weigh(std::vector<uint16_t>& weights, const QuadCoverage::Span& span, int y, double opacity) const;

 private:
  RectCoverage coverage_;
  QuadCoverage quad_;
  SampleRange rows_{0, 0};
};

// Writes bilinear samples of a span of row y. `map`: samples of the canvas to those of the plane.
void sampleRotated(int16_t* out, const kernels::CodePlane& plane, const Affine& map, const SampleRange& span,
                   int y);

}  // namespace framewright
