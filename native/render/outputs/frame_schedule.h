#pragma once

#include <cstdint>

#include "core/output_file.h"

namespace framewright {

// Number of frames of the file that show a canvas frame: those whose time is in [frame, frame + 1) canvas
// frames, counted from file.first. 0 where the file drops the frame.
int64_t shownCount(const OutputFile& file, int64_t frame);

}  // namespace framewright
