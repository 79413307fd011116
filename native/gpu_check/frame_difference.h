#pragma once

#include <cstdint>

#include "core/image.h"

namespace framewright {

// How far two frames are apart.
struct FrameDifference {
  int largest = 0;
  int plane = 0, x = 0, y = 0;  // where
  int64_t samples = 0, differing = 0;
};
// Each of kI420 or kNv12.
FrameDifference compareFrames(const Image& a, const Image& b);

// Mean structural similarity of the luma planes, in blocks of 8 x 8; 1 where equal.
double similarity(const Image& a, const Image& b);

}  // namespace framewright
