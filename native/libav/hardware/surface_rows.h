#pragma once

#include "core/image.h"
#include "libav/av.h"

namespace framewright {

// Copies a downloaded surface of NV12 or P010 to three planes of the frame's size. `bits`: 8 or 10; samples
// of 10 bits move from the high bits of a word to the low ones.
void copySurface(const AVFrame& downloaded, int bits, const Plane (&planes)[3]);

}  // namespace framewright
