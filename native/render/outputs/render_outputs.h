#pragma once

#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/output_file.h"
#include "core/result.h"
#include "render/render.h"
#include "timeline/timeline.h"

namespace framewright {

// Composes the frames that any of the outputs shows, each once, and writes all outputs in parallel. Progress
// counts composed frames. Blocks; starts a thread per output. Fails with the first error of an output,
// INVALID_TIMELINE, or CANCELLED, and then leaves no file of this call behind.
Result<std::vector<OutputFileResult>> renderOutputs(const Timeline& timeline,
                                                    const std::vector<OutputFile>& outputs,
                                                    const ProgressSink& progress, const CancelToken& cancel);

}  // namespace framewright
