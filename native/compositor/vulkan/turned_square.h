#pragma once

#include "compositor/cpu/shape.h"

namespace framewright::gpu {

// How a turned or sheared unit square covers the samples of a plane; the same sums as the CPU's QuadCoverage,
// but only its soft ends are worked out sample by sample.
class TurnedSquare {
 public:
  TurnedSquare(const Affine& toSurface, PlaneGroup group);

  // Rows that it may touch, within those of the window.
  int firstRow(const AxisCoverage& rows) const;
  int endRow(const AxisCoverage& rows) const;

  // Samples of a row that are touched, and those wholly inside.
  struct Span {
    int first = 0, end = 0, fullFirst = 0, fullEnd = 0;
  };
  Span span(int row, const AxisCoverage& columns) const;
  // How much of a sample lies inside, 0 … 1.
  double covered(int x, int y) const;

 private:
  // Distances from one pair of parallel edges, in samples, as linear functions of the sample's position.
  struct Slab {
    double a = 0, b = 0, c = 0;  // a * x + b * y + c from the near edge
    double width = 0;            // between the edges
  };
  Slab slabs_[2];
  double top_ = 0, bottom_ = 0;
};

}  // namespace framewright::gpu
