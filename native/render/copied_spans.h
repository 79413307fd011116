#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "render/render.h"
#include "timeline/timeline.h"
#include "x264/packet_copy/packet_copier.h"

namespace framewright {

// Spans of a segment that show an unmodified source video, whose coded packets can be copied.
struct CopiedSpans {
  struct Span {
    FrameRange range;
    std::unique_ptr<x264::CopiedFrames> frames;
  };
  std::unique_ptr<x264::PacketCopier> copier;
  std::vector<Span> spans;  // ascending
  std::vector<UncopiedVideo> uncopied;
};

// Finds spans in the draw lists and the source files; the same on every host. Skips what cannot be copied
// with certainty. `scratchPath`: a temporary file that it may write.
CopiedSpans findCopiedSpans(const Timeline& timeline, FrameRange range, const VideoEncoderSettings& settings,
                            const std::string& scratchPath, const CancelToken& cancel);

using RenderSpan =
    std::function<Result<SegmentResult>(FrameRange, const std::string& path, const ProgressSink&)>;

// Writes a segment from the copied spans; `render` renders the frames between them.
Result<SegmentResult> renderAround(const CopiedSpans& copied, FrameRange range, const std::string& path,
                                   const ProgressSink& progress, const CancelToken& cancel,
                                   const RenderSpan& render);

}  // namespace framewright
