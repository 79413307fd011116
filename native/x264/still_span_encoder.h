#pragma once

#include <optional>
#include <string>

#include "libav/encode/libav_video_encoder.h"
#include "x264/frame_planner.h"
#include "x264/still_stretcher.h"

namespace framewright {

// x264, told by `PicturePlanner` how to code each picture instead of looking ahead itself, and skip pictures
// instead of it while the picture stays: x264 sees such a picture once, coded as well as it would be after
// all the frames that refine it, and `StillStretcher` lengthens it.
class StillSpanEncoder final : public LibavVideoEncoder {
 public:
  // Whether the encoder's stream and settings allow it, as far as can be told beforehand.
  static bool suits(const VideoEncoderSettings& settings);

  explicit StillSpanEncoder(const VideoEncoderSettings& settings);
  Status open(const VideoEncoderSettings& settings, const std::string& path) override;
  // The last picture waits until it is known what follows it.
  Status encode(ShownPicture picture) override;
  Result<int64_t> finish() override;

 private:
  bool isSpan(const ShownPicture& picture) const;
  Status submit(const ShownPicture& picture, bool spanFollows);
  Status submitSpan(const ShownPicture& span);
  Status submitFrame(const ImagePtr& image, std::optional<PictureKind> kind, double quality);
  Status sendPlanned();
  double seamQuality() const;
  double treeQuality(int64_t count) const;
  double spanQuality(int64_t frames, int64_t changesFollow, bool isKey) const;
  Status send(const AVFrame* frame) override;
  Status write(const StillStretcher::Unit& unit);

  const VideoEncoderSettings settings_;
  const int treeDepth_;
  std::optional<PicturePlanner> planner_;    // absent: x264 looks ahead itself
  std::optional<StillStretcher> stretcher_;  // absent: the stream is not of the kind that can be stretched
  PacketPtr packet_;
  std::optional<ShownPicture> waiting_;
  bool oneReference_ = false;
  bool keyNext_ = false;
  bool isLast_ = false;  // nothing follows what waits
  int64_t shown_ = 0;    // frames of the movie submitted so far
  int64_t lastKey_ = 0;  // the last of them known to be a key frame
};

}  // namespace framewright
