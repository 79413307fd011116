#pragma once

#include <string>

#include "core/result.h"
#include "libav/av_handle.h"

// The display for which PQ outputs count as mastered: P3 primaries, D65 and 0.0001 to 1000 cd/m² (SMPTE ST
// 2086), as most HDR10 files say. The light of the content is unknown before all frames are composed, so that
// it is not written.
namespace framewright {

// As a parameter of x265 and of SVT-AV1.
struct HevcUnits {};
struct Av1Units {};
std::string masteringDisplayText(HevcUnits);
std::string masteringDisplayText(Av1Units);

// Adds it to a stream of a container. Fails with OUT_OF_MEMORY.
Status addMasteringDisplay(AVStream& stream);

}  // namespace framewright
