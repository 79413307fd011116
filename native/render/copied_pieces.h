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

// Stretches of a segment that show nothing but a film, picture for picture as it is coded in its file.
struct CopiedPieces {
  struct Piece {
    FrameRange range;
    std::unique_ptr<x264::CopiedFrames> frames;
  };
  std::unique_ptr<x264::PacketCopier> copier;
  std::vector<Piece> pieces;  // in order
};

// Found from what is drawn, and in the files; the same wherever the segment is made. `scratchPath`: a file
// that may be written meanwhile. Finds nothing where there is any doubt.
CopiedPieces findCopiedPieces(const Timeline& timeline, FrameRange range,
                              const VideoEncoderSettings& settings, const std::string& scratchPath,
                              const CancelToken& cancel);

using RenderPiece =
    std::function<Result<SegmentFacts>(FrameRange, const std::string& path, const ProgressSink&)>;

// Makes a segment of copied pieces, and of others that `render` makes.
Result<SegmentFacts> renderAround(const CopiedPieces& copied, FrameRange range, const std::string& path,
                                  const ProgressSink& progress, const CancelToken& cancel,
                                  const RenderPiece& render);

}  // namespace framewright
