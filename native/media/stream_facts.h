#pragma once

#include "media/av.h"
#include "media/orientation.h"

namespace framewright {

// How a video stream's pictures are turned to stand upright.
Orientation streamOrientation(const AVStream& stream);

}  // namespace framewright
