#pragma once

#include "core/image.h"

namespace framewright {

// The first byte of a row.
inline uint8_t* rowOf(const Plane& plane, int y) { return plane.data + y * plane.stride; }

// Copies between planes of equal size with `bytes` per sample.
void copyPlane(const Plane& from, const Plane& to, int bytes = 1);

// Interleaves Cb and Cr into one plane.
void interleave(const Plane& cb, const Plane& cr, const Plane& pairs);

}  // namespace framewright
