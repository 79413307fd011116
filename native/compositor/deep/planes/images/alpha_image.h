#pragma once

#include <array>
#include <mutex>
#include <vector>

#include "compositor/deep/float_image.h"
#include "core/image.h"

namespace framewright {

// One mip level of an AlphaImage: planes of luma, Cb, Cr and alpha of the same size.
struct AlphaLevel {
  static constexpr int kAlpha = 3;

  std::vector<int16_t> samples;
  std::array<Plane, 4> planes;
};

// An image with alpha as premultiplied working samples without their offsets, so that black and grey are 0,
// with chroma of full resolution. Alpha is Q14, which leaves room for the overshoot of filters. Mip levels
// are made on first use. Immutable to its users; any thread.
class AlphaImage {
 public:
  static constexpr int kMaxLevels = 14;

  // `first` has the signals of the canvas and is the level `firstLevel` of an image of this size.
  AlphaImage(int width, int height, int firstLevel, const FloatImage& first,
             const kernels::YcbcrScale& scale);

  int width() const { return width_; }
  int height() const { return height_; }
  // The image at 1 / 2^level of the size, or the nearest level that exists; `found` is set to it. Valid as
  // long as the image.
  const AlphaLevel& level(int level, int& found) const;

 private:
  int width_, height_, firstLevel_;
  mutable std::mutex making_;
  mutable std::array<AlphaLevel, kMaxLevels> levels_;
  mutable int made_;  // one past the last level
};

}  // namespace framewright
