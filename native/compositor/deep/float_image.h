#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "compositor/plan/pixel_rect.h"
#include "core/result.h"
#include "kernels/deep/float_rows.h"

namespace framewright {

// Planes of 32-bit floats in the colors of the canvas: premultiplied R, G, B, and alpha unless the image is
// opaque. Rows may be read and written kMargin pixels beyond both ends. Movable; used by one thread while it
// is written.
class FloatImage {
 public:
  static constexpr int kMargin = 16;

  FloatImage() = default;
  // Fails with OUT_OF_MEMORY. The contents are uninitialised.
  static Result<FloatImage> create(int width, int height, bool hasAlpha);

  // Reuses the memory if it is large enough and no copy shares it. If the size is the same, the contents are
  // kept; otherwise the image is cleared.
  Status resize(int width, int height, bool hasAlpha);

  int width() const { return width_; }
  int height() const { return height_; }
  bool hasAlpha() const { return hasAlpha_; }
  CanvasSize size() const { return {width_, height_}; }
  int channels() const { return hasAlpha_ ? 4 : 3; }

  ptrdiff_t stride() const { return stride_; }
  // Channel 0 R, 1 G, 2 B, 3 alpha.
  float* row(int channel, int y) { return channel_[static_cast<size_t>(channel)] + y * stride_; }
  const float* row(int channel, int y) const { return channel_[static_cast<size_t>(channel)] + y * stride_; }
  // From column x.
  kernels::FloatRow at(int x, int y) {
    return {row(0, y) + x, row(1, y) + x, row(2, y) + x, hasAlpha_ ? row(3, y) + x : nullptr};
  }
  kernels::ConstFloatRow at(int x, int y) const {
    return {row(0, y) + x, row(1, y) + x, row(2, y) + x, hasAlpha_ ? row(3, y) + x : nullptr};
  }

  // Black: opaque without alpha, else transparent.
  void clear();

 private:
  void shape(int width, int height, bool hasAlpha);
  size_t planeSize() const { return static_cast<size_t>(stride_) * static_cast<size_t>(height_); }
  void place();

  int width_ = 0, height_ = 0;
  bool hasAlpha_ = false;
  ptrdiff_t stride_ = 0;  // floats per row
  size_t capacity_ = 0;   // floats in `memory_`
  std::array<float*, 4> channel_{};
  std::shared_ptr<void> memory_;
};

}  // namespace framewright
