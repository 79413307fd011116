#pragma once

#include "compositor/deep/canvas_curves.h"
#include "compositor/deep/float_image.h"
#include "core/image.h"

namespace framewright {

// Whether every pixel of an image is opaque.
bool isOpaque(const Image& image);

// Reads the rows of an image as premultiplied R'G'B' in the colors of a canvas.
class RowReader {
 public:
  // `image` and `curves` must outlive the reader. Samples of kI010 have `fractionBits` fraction bits.
  RowReader(const Image& image, const CanvasCurves& curves, int fractionBits = 0);
  // Row y, which needs no alpha if the image is opaque.
  void read(int y, const kernels::FloatRow& row);

 private:
  template <typename Sample>
  void readYcbcr(int y, const kernels::FloatRow& row);

  const Image& image_;
  const CanvasCurves& curves_;
  kernels::YcbcrScale scale_{};
  std::vector<float> mixed_, cb_, cr_;
};

}  // namespace framewright
