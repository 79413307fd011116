#pragma once

#include "formats/orientation.h"
#include "libav/av.h"

namespace framewright {

// How a video stream's pictures are turned to stand upright.
Orientation streamOrientation(const AVStream& stream);

// How much too late a picture may stand in the file and still count as one of the time that is asked for.
int64_t frameTimeSlackUs(const AVStream& stream);

}  // namespace framewright
