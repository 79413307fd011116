#pragma once

#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/output_file.h"
#include "core/result.h"
#include "render/render.h"
#include "timeline/parse_output_file.h"
#include "timeline/timeline.h"

namespace framewright {

// How one composition of renderOutputs() was drawn.
struct CompositionResult {
  bool isOnDevice = false;
  int64_t frames = 0;         // composed ones; the others repeat the frame before
  int64_t hostFrames = 0;     // of these, frames that the CPU drew for the device
  std::string deviceFailure;  // why the CPU replaced the device; empty: it did not
  // One per played video, unless segments report them; only where hardware may decode.
  std::vector<DecodeReport> videos;
};

// What renderOutputs() wrote, in the order of the request.
struct RenderedOutputs {
  std::vector<OutputFileResult> files;
  // The error of a segment that was not written, because its encoder failed, or because source packets can be
  // copied instead of encoding: renderSegment() renders it alone.
  std::vector<Result<SegmentResult>> segments;
  std::vector<CompositionResult> compositions;
};

// Composes the frames that any of the outputs or segments shows, each once, and writes all in parallel. A
// segment has the bytes that renderSegment() would write. Ranges of segments that overlap must be equal.
// Progress counts composed frames. Blocks; starts a thread per output. Fails with the first error of an
// output, INVALID_TIMELINE, or CANCELLED, and then leaves no output of this call behind; the other outputs
// end early.
Result<RenderedOutputs> renderOutputs(const Timeline& timeline, const std::vector<OutputFile>& outputs,
                                      const std::vector<OutputSegment>& segments,
                                      const ProgressSink& progress, const CancelToken& cancel);

}  // namespace framewright
