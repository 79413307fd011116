#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compositor/cpu/coverage.h"
#include "compositor/cpu/pixel_rect.h"
#include "compositor/cpu/plane_mapping.h"
#include "core/geometry.h"
#include "core/image.h"

namespace framewright {

// The size of the canvas in pixels.
struct CanvasSize {
  int width = 0;
  int height = 0;
  Rect rect() const { return {0, 0, static_cast<double>(width), static_cast<double>(height)}; }
  PixelRect pixels() const { return {0, 0, width, height}; }
};

Rect intersection(const Rect& a, const Rect& b);
// Canvas area of the unit square under an axis-aligned map.
Rect drawnRect(const Affine& toCanvas);

// Samples of a plane's axis that belong to even pixels `low` … `high` - 1.
struct SampleRange {
  int first, end;
};
inline SampleRange samplesOf(int low, int high, PlaneGroup group) {
  if (group == PlaneGroup::kLuma) return {low, high};
  return {low / 2, high / 2 + high % 2};
}

// Coverage of an upright rectangle on the planes of one group.
struct RectCoverage {
  AxisCoverage columns, rows;

  void cover(const Rect& rect, const CanvasSize& canvas, PlaneGroup group);
  // Leaves what lies in `part`.
  void trim(const PixelRect& part, PlaneGroup group);
  bool empty() const { return columns.empty() || rows.empty(); }
};

// Coverage of a turned or sheared unit square, row by row, on the planes of one group.
class QuadCoverage {
 public:
  // `window` has the coverage of the layer's window, or of the canvas, and was trimmed to the part that is
  // drawn; `firstColumn` was its first column before. Outlived by the window.
  void cover(const Affine& toCanvas, PlaneGroup group, const RectCoverage& window, int firstColumn);
  int firstRow() const { return firstRow_; }
  int endRow() const { return endRow_; }
  // Fills `weights` for the samples of `row` that are covered, times `opacity`. False when there are none.
  bool coverRow(int row, double opacity);

  int first = 0, end = 0;         // of the row last asked for
  int wholeFirst = 0;             // the same, had nothing been trimmed
  std::vector<uint16_t> weights;  // of first, first + 1, …

 private:
  // Distances from one pair of parallel edges, in samples, as linear functions of the sample's position.
  struct Slab {
    double a, b, c;  // a * x + b * y + c from the near edge
    double width;    // between the edges
  };
  static double inside(const Slab& slab, double x, double y);

  Slab slabs_[2];
  const RectCoverage* window_ = nullptr;
  int firstColumn_ = 0;
  int firstRow_ = 0, endRow_ = 0;
};

}  // namespace framewright
