#pragma once

#include <cstdint>

#include "core/image.h"

namespace framewright {

// Sample differences between two frames: levels, or codes of 10 bits.
struct FrameDifference {
  int largest = 0;
  int plane = 0, x = 0, y = 0;  // of the largest difference
  int64_t samples = 0, differing = 0;
  int largestLuma = 0;
  double lumaMean = 0, chromaMean = 0;
};
// The frames are kI420 or kNv12, or kI010 or kP010, of equal size.
FrameDifference compareFrames(const Image& a, const Image& b);

// Mean SSIM of the luma planes of 8 bits over 8x8 blocks; 1 for equal frames.
double similarity(const Image& a, const Image& b);

}  // namespace framewright
