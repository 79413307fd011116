#pragma once

#include "core/image.h"

namespace framewright {

// Of one size; `bytes` of each sample.
void copyPlane(const Plane& from, const Plane& to, int bytes = 1);

// Cb and Cr in one plane, in turns.
void interleave(const Plane& cb, const Plane& cr, const Plane& pairs);

}  // namespace framewright
