#pragma once

#include <string>

#include "core/mastering_display.h"
#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// As a parameter of x265 and of SVT-AV1.
struct HevcUnits {};
struct Av1Units {};
std::string masteringDisplayText(const MasteringDisplay& display, HevcUnits);
std::string masteringDisplayText(const MasteringDisplay& display, Av1Units);

// Adds it to a stream of a container. Fails with OUT_OF_MEMORY.
Status addMasteringDisplay(AVStream& stream, const MasteringDisplay& display);

}  // namespace framewright
