#pragma once

#include "compositor/cpu/crossing.h"

// Fades during which the picture becomes coarse.
namespace framewright {

void pixelize(const Crossing& crossing);
// Smeared sideways, up to half the canvas wide.
void blurAcross(const Crossing& crossing);

}  // namespace framewright
