#pragma once

#include <memory>

#include "libav/outputs/output_writer.h"

namespace framewright {

// Collects all frames and encodes them at the end: GIF, whose palette depends on every frame, and files with
// maxBytes, which are encoded again with lower quality and size until they fit.
Result<std::unique_ptr<OutputWriter>> openFittedOutput(const OutputFile& file, const WriteWatch& watch);

}  // namespace framewright
