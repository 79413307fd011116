#pragma once

#include <memory>

#include "compositor/cpu/surface.h"
#include "core/result.h"

namespace framewright {

// A layer's picture apart from the frame: premultiplied, transparent where nothing was drawn. Keeps its
// memory from layer to layer.
class LayerBuffer {
 public:
  // Starts a transparent picture whose top left corner lies at canvas pixel (x, y); all even, so that its
  // chroma samples lie on the canvas's. Fails with OUT_OF_MEMORY.
  Status begin(int x, int y, int width, int height);

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
