#pragma once

#include <array>

#include "compositor/plan/coverage.h"
#include "compositor/plan/quad_coverage.h"

namespace framewright::gpu {

// Coverage of chroma samples of 16 bits by a rotated square, filtered from that of pixels as colours are: [1
// 2 1] around even columns, the mean of two rows. Used by one thread.
class ChromaQuad {
 public:
  // `window` is the coverage of pixels by the window, `columns` and `height` the pixels whose edges are
  // repeated; all as in LayerRecords. `window` must outlive the quad.
  ChromaQuad(const Affine& toSurface, const RectCoverage& window, const SampleRange& columns, int height);

  SampleRange rows() const { return rows_; }
  // Goes to a row of these. Touched samples, and those that the square covers completely; empty if there are
  // none.
  QuadCoverage::Span begin(int row);
  // Coverage 0..1 by square and window of the row's samples: of those that the square covers completely, and
  // of any.
  double full() const;
  double at(int x) const;

 private:
  struct PixelRow {
    int y = 0;
    QuadCoverage::Span span;
  };
  double pixelAt(const PixelRow& row, int x) const;
  double rowWeight(const PixelRow& row) const;

  const QuadCoverage quad_;
  const RectCoverage& window_;
  const SampleRange columns_;
  const int height_;
  SampleRange pixelRows_, rows_;
  std::array<PixelRow, 2> pair_;
};

}  // namespace framewright::gpu
