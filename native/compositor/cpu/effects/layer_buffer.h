#pragma once

#include <memory>

#include "compositor/cpu/layers/surface.h"
#include "core/result.h"

namespace framewright {

// Offscreen surface for one layer: premultiplied, initially transparent. Its memory is reused for the next
// layer.
class LayerBuffer {
 public:
  // Starts a transparent surface with its top left corner at canvas pixel (x, y). All four numbers are even,
  // so that its chroma samples coincide with those of the canvas. Fails with OUT_OF_MEMORY.
  Status begin(int x, int y, int width, int height, bool isDithered);

  // Uses `part` of the frame as the surface of a layer that is opaque there; `area` is that of the surface
  // that the layer would have otherwise. `frame` must outlive it.
  void beginInFrame(const Surface& frame, const PixelRect& part, const PixelRect& area);

  size_t bytes() const { return capacity_; }
  int x() const { return x_; }
  int y() const { return y_; }
  const Surface& surface() const { return surface_; }
  Affine fromCanvas() const { return translation(-x_, -y_); }
  Rect rect() const { return surface_.size().rect(); }

 private:
  int x_ = 0, y_ = 0;
  Surface surface_;
  std::shared_ptr<uint8_t> memory_;
  size_t capacity_ = 0;
};

}  // namespace framewright
