#pragma once

#include <vector>

#include "core/output_file.h"
#include "render/render.h"

namespace framewright {

// The frames that `outputs` and `segments` show, in ascending parts without gaps inside. Each segment is a
// part of its own, because the frames ahead that an encoder sees end with its segment.
std::vector<FrameRange> shownParts(const std::vector<OutputFile>& outputs,
                                   const std::vector<FrameRange>& segments);

}  // namespace framewright
