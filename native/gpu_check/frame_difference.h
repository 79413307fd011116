#pragma once

#include <cstdint>

#include "core/image.h"

namespace framewright {

// Sample differences between two frames.
struct FrameDifference {
  int largest = 0;
  int plane = 0, x = 0, y = 0;  // of the largest difference
  int64_t samples = 0, differing = 0;
};
// The frames are kI420 or kNv12, of equal size.
FrameDifference compareFrames(const Image& a, const Image& b);

// Mean SSIM of the luma planes over 8x8 blocks; 1 for equal frames.
double similarity(const Image& a, const Image& b);

}  // namespace framewright
