#pragma once

#include <optional>
#include <string>

#include "libav/encode/video/libav_video_encoder.h"
#include "libav/encode/video/svt_av1/show_existing_inserter.h"

namespace framewright {

// SVT-AV1 with cheap still spans: SVT-AV1 encodes a still image only up to the end of its mini-GOP, and
// ShowExistingInserter repeats that frame with show_existing_frame.
class Av1StillSpanEncoder final : public LibavVideoEncoder {
 public:
  // Whether the settings allow cheap still spans.
  static bool supports(const VideoEncoderSettings& settings);

  explicit Av1StillSpanEncoder(const VideoEncoderSettings& settings) : settings_(settings) {}
  Status open(const VideoEncoderSettings& settings, const std::string& path) override;
  Status encode(VideoFrame input) override;

 private:
  // How a still span is encoded.
  struct SpanPlan {
    bool isKey = false;
    int64_t copies = 0;  // frames that SVT-AV1 encodes
    int64_t frames = 0;  // length of the span, including the copies
  };

  bool isKeyDue() const;
  std::optional<SpanPlan> planSpan(int64_t frames) const;
  Status submitSpan(const ImagePtr& image, const SpanPlan& plan);
  Status submitFrame(const ImagePtr& image, bool isKey);
  Status send(const AVFrame* frame) override;
  Status write(const ShowExistingInserter::TemporalUnit& unit);

  const VideoEncoderSettings settings_;
  std::optional<ShowExistingInserter> inserter_;  // none: the stream does not support repeats
  int64_t submittedFrames_ = 0;                   // frames of the movie submitted so far
  int64_t lastKey_ = 0;                           // the last of them that is a key frame
  int64_t lastKeyInput_ = 0;                      // the same, in the encoder's own frames
};

}  // namespace framewright
