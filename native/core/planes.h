#pragma once

#include "core/image.h"

namespace framewright {

// Copies between planes of equal size with `bytes` per sample.
void copyPlane(const Plane& from, const Plane& to, int bytes = 1);

// Interleaves Cb and Cr into one plane.
void interleave(const Plane& cb, const Plane& cr, const Plane& pairs);

}  // namespace framewright
