#pragma once

#include <memory>

#include "compositor/deep/float_image.h"
#include "compositor/deep/planes/plane_backdrop.h"
#include "core/blend_mode.h"

namespace framewright {

// Rows of a layer in floats. Used by one thread.
class FloatRowsSource {
 public:
  virtual ~FloatRowsSource() = default;
  // Draws canvas row y over an empty row, which starts in column 0 of the canvas.
  virtual void draw(int y, const kernels::FloatRow& to) = 0;
};

// Rows of a surface with alpha. Used by one thread.
class SurfaceReader {
 public:
  virtual ~SurfaceReader() = default;
  // Row y of the surface, valid until the next call.
  virtual kernels::ConstFloatRow row(int y) = 0;
};
// `image` must outlive the reader.
std::unique_ptr<SurfaceReader> imageReader(const FloatImage& image);

// The rows of an opaque area of the canvas.
std::unique_ptr<SurfaceReader> areaReader(std::unique_ptr<PlaneBackdrop> rows, const PixelRect& area);

// A surface on the pixels `area` of the canvas, weighted by its opacity and limited to a window.
struct PlacedSurface {
  std::unique_ptr<SurfaceReader> reader;
  PixelRect area;
  Rect window;
  double opacity = 1;
};
std::unique_ptr<FloatRowsSource> surfaceRows(PlacedSurface surface, const CanvasSize& canvas);
// The same by a blend mode, over a backdrop of the surface's part of the canvas.
std::unique_ptr<FloatRowsSource> blendedRows(PlacedSurface surface, const CanvasSize& canvas, BlendMode mode,
                                             std::unique_ptr<PlaneBackdrop> backdrop);

}  // namespace framewright
