#pragma once

#include <memory>

#include "compositor/deep/float_image.h"
#include "core/blend_mode.h"

namespace framewright {

// Rows of a layer in floats. Used by one thread.
class FloatRowsSource {
 public:
  virtual ~FloatRowsSource() = default;
  // Draws canvas row y over an empty row, which starts in column 0 of the canvas.
  virtual void draw(int y, const kernels::FloatRow& to) = 0;
};

// A surface whose corner is at (left, top), weighted by its opacity and limited to a window.
struct PlacedSurface {
  const FloatImage* image = nullptr;
  int left = 0, top = 0;
  Rect window;
  double opacity = 1;
};
// Both must outlive the rows.
std::unique_ptr<FloatRowsSource> surfaceRows(const PlacedSurface& surface, const CanvasSize& canvas);
// The same by a blend mode, over a backdrop that has the part `area` of the canvas.
std::unique_ptr<FloatRowsSource> blendedRows(const PlacedSurface& surface, const CanvasSize& canvas,
                                             BlendMode mode, const FloatImage& backdrop,
                                             const PixelRect& area);

}  // namespace framewright
