#pragma once

#include <array>
#include <cstdint>

#include "core/image.h"

namespace framewright {

// A kI420 frame that was composed over an opaque backdrop of this Y, Cb, Cr. Borrowed.
struct FrameOverBackdrop {
  const Image& frame;
  std::array<uint8_t, 3> backdrop;
};

// Recovers color and alpha of layers from their frames over two backdrops, which must differ in Y and Cb.
// `dark` is over black; `straight` is kRgbaStraight of the same size. Fully transparent pixels become 0.
void writeStraightFrame(const FrameOverBackdrop& dark, const FrameOverBackdrop& bright, Image& straight);

}  // namespace framewright
