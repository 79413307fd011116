#pragma once

#include <optional>
#include <string>

#include "libav/encode/libav_video_encoder.h"
#include "libav/encode/svt_av1/still_stretcher.h"

namespace framewright {

// SVT-AV1, and the order to show a frame again instead of it while the picture stays: SVT-AV1 sees such a
// picture until the next one that it predicts others from, and `Av1StillStretcher` lengthens it.
class Av1StillEncoder final : public LibavVideoEncoder {
 public:
  // Whether the settings allow it.
  static bool suits(const VideoEncoderSettings& settings);

  explicit Av1StillEncoder(const VideoEncoderSettings& settings) : settings_(settings) {}
  Status open(const VideoEncoderSettings& settings, const std::string& path) override;
  Status encode(ShownPicture picture) override;

 private:
  // How a picture that stays begins.
  struct Beginning {
    bool isKey = false;
    int64_t copies = 0;  // that the encoder has to see
    int64_t frames = 0;  // for which it then stays, the copies among them
  };

  bool keyIsDue() const;
  std::optional<Beginning> beginningOf(int64_t frames) const;
  Status submitSpan(const ImagePtr& image, const Beginning& beginning);
  Status submitFrame(const ImagePtr& image, bool isKey);
  Status send(const AVFrame* frame) override;
  Status write(const Av1StillStretcher::Unit& unit);

  const VideoEncoderSettings settings_;
  std::optional<Av1StillStretcher> stretcher_;  // absent: the stream is not of the kind that can be stretched
  PacketPtr packet_;
  int64_t shown_ = 0;       // frames of the movie submitted so far
  int64_t lastKey_ = 0;     // the last of them that is a key frame
  int64_t groupStart_ = 0;  // the same, in the encoder's own frames
};

}  // namespace framewright
