#pragma once

#include "compositor/plan/coverage.h"

namespace framewright {

// Coverage of the samples of one plane group by the unit square under a rotating or shearing map, with edges
// antialiased over one sample. Immutable.
class QuadCoverage {
 public:
  QuadCoverage() = default;
  QuadCoverage(const Affine& toCanvas, PlaneGroup group);

  // Rows of the window that the square may touch.
  SampleRange rows(const AxisCoverage& windowRows) const;

  // Touched samples of a row (first … end - 1), and those completely inside.
  struct Span {
    int first = 0, end = 0, fullFirst = 0, fullEnd = 0;
    int untrimmedFirst = 0;  // `first` before `columns` were trimmed
    bool empty() const { return first >= end; }
  };
  // `untrimmedFirst` is the first column that was covered before `columns` were trimmed.
  Span span(int row, const AxisCoverage& columns, int untrimmedFirst) const;

  // Covered share of a sample, 0 … 1.
  double covered(int x, int y) const { return inside(slabs_[0], x, y) * inside(slabs_[1], x, y); }

 private:
  // Signed distance from one of two parallel edges, in samples: a * x + b * y + c.
  struct Slab {
    double a = 0, b = 0, c = 0;
    double width = 0;  // distance between the edges
  };
  static double inside(const Slab& slab, int x, int y);

  Slab slabs_[2];
  double top_ = 0, bottom_ = 0;
};

}  // namespace framewright
