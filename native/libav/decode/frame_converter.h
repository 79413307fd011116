#pragma once

#include "core/image.h"
#include "formats/orientation.h"
#include "libav/av_handle.h"
#include "libav/decode/color_conversion.h"

namespace framewright {

// What to take for granted where a picture carries no tags.
enum class FrameOrigin { kStill, kVideo };
enum class FrameTarget { kNearest, kRgba };

// Decoded libav pictures -> upright Images: opaque 4:2:0 video as kI420 BT.709 limited (without a copy when
// it already is that) and photos so too, pictures with alpha and stills of other layouts as kRgbaStraight;
// everything so with kRgba. Keeps the scaler between calls; used by one thread.
class FrameConverter {
 public:
  FrameConverter(FrameOrigin origin, Orientation orientation, FrameTarget target = FrameTarget::kNearest)
      : origin_(origin), orientation_(orientation), target_(target) {}

  // Whether a picture is already what convert() gives, with its chroma where films have it.
  bool isPassThrough(const AVFrame& frame) const;
  // Fails with MEDIA_UNSUPPORTED for layouts that swscale cannot read, or OUT_OF_MEMORY.
  Result<ImagePtr> convert(const AVFrame& frame);

 private:
  struct Layout;
  bool isPassThrough(const AVFrame& frame, const Layout& layout) const;
  Result<ImagePtr> scale(const AVFrame& frame, const Layout& layout);
  Layout layoutOf(const AVFrame& frame) const;

  FrameOrigin origin_;
  Orientation orientation_;
  FrameTarget target_;
  // Input of the current conversion; another input needs a new one.
  struct Conversion {
    int width = 0, height = 0;
    ColorLayout from, to;

    bool operator==(const Conversion&) const = default;
  } made_;
  std::unique_ptr<ColorConversion> conversion_;
};

}  // namespace framewright
