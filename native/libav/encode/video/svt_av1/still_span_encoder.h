#pragma once

#include <optional>
#include <string>

#include "libav/encode/video/libav_video_encoder.h"
#include "libav/encode/video/svt_av1/show_existing_inserter.h"

namespace framewright {

// SVT-AV1, and the order to show a frame again instead of it while the picture stays: SVT-AV1 sees such a
// picture until the next one that it predicts others from, and `ShowExistingInserter` lengthens it.
class Av1StillSpanEncoder final : public LibavVideoEncoder {
 public:
  // Whether the settings allow it.
  static bool supports(const VideoEncoderSettings& settings);

  explicit Av1StillSpanEncoder(const VideoEncoderSettings& settings) : settings_(settings) {}
  Status open(const VideoEncoderSettings& settings, const std::string& path) override;
  Status encode(VideoFrame picture) override;

 private:
  // How a picture that stays begins.
  struct SpanPlan {
    bool isKey = false;
    int64_t copies = 0;  // that the encoder has to see
    int64_t frames = 0;  // for which it then stays, the copies among them
  };

  bool isKeyDue() const;
  std::optional<SpanPlan> planSpan(int64_t frames) const;
  Status submitSpan(const ImagePtr& image, const SpanPlan& plan);
  Status submitFrame(const ImagePtr& image, bool isKey);
  Status send(const AVFrame* frame) override;
  Status write(const ShowExistingInserter::TemporalUnit& unit);

  const VideoEncoderSettings settings_;
  std::optional<ShowExistingInserter>
      inserter_;  // absent: the stream is not of the kind that can be stretched
  PacketPtr packet_;
  int64_t submittedFrames_ = 0;  // frames of the movie submitted so far
  int64_t lastKey_ = 0;          // the last of them that is a key frame
  int64_t lastKeyInput_ = 0;     // the same, in the encoder's own frames
};

}  // namespace framewright
