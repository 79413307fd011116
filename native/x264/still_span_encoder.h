#pragma once

#include <optional>
#include <string>

#include "libav/encode/video/libav_video_encoder.h"
#include "x264/frame_planner.h"
#include "x264/skip_frame_inserter.h"

namespace framewright::x264 {

// Lookahead of VideoEncoderSettings::matchesVeryfast. That of `slow`, 50 frames, gains 0.3 % on footage and
// takes twice the memory; in 4K every frame of it takes 20 MB.
constexpr int footageLookaheadFrames(int width, int height) {
  constexpr int kMaxPixelsOfLong = 2560 * 1440;
  return width * height > kMaxPixelsOfLong ? 15 : 18;
}

// An x264 encoder that plans frame types and QP offsets outside x264 (FramePlanner) and encodes each still
// span once, at the quality its frames would have reached; P skip frames fill the rest (SkipFrameInserter).
// Used by one thread.
class StillSpanEncoder final : public LibavVideoEncoder {
 public:
  // Whether these settings can be encoded this way, as far as is known before the encoder is opened.
  static bool supports(const VideoEncoderSettings& settings);

  explicit StillSpanEncoder(const VideoEncoderSettings& settings);
  Status open(const VideoEncoderSettings& settings, const std::string& path) override;
  // Holds the frame back until the next one is known.
  Status encode(VideoFrame frame) override;
  Result<int64_t> finish() override;

 private:
  bool isSpan(const VideoFrame& frame) const;
  Status submit(const VideoFrame& frame, bool spanFollows);
  Status submitSpan(const VideoFrame& span);
  Status submitFrame(const ImagePtr& image, std::optional<FrameType> type, double qpOffset);
  Status sendPlanned();
  double seamQpOffset() const;
  double mbtreeQpOffset(int64_t dependentFrames) const;
  double spanQpOffset(int64_t frames, int64_t changesAhead, bool isIdr) const;
  Status send(const AVFrame* frame) override;
  Status write(const SkipFrameInserter::AccessUnit& unit);

  const VideoEncoderSettings settings_;
  const int lookaheadFrames_;
  std::optional<FramePlanner> planner_;        // absent: x264 uses its own lookahead
  std::optional<SkipFrameInserter> inserter_;  // absent: the stream does not support skip frames
  std::optional<VideoFrame> pending_;
  bool hasSingleReference_ = false;
  bool isIdrForced_ = false;  // the next frame must be an IDR frame
  bool isLast_ = false;       // nothing follows the pending frame
  int64_t submittedFrames_ = 0;
  int64_t lastIdr_ = 0;  // index of the last frame known to be an IDR frame
};

}  // namespace framewright::x264
