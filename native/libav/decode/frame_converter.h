#pragma once

#include <cstdint>
#include <optional>

#include "core/canvas_color.h"
#include "core/image.h"
#include "formats/orientation.h"
#include "libav/av_handle.h"
#include "libav/decode/color/mapped_conversion.h"
#include "libav/decode/color/wide_image.h"
#include "libav/decode/color_conversion.h"

namespace framewright {

// Selects the defaults for frames without colour tags.
enum class FrameOrigin { kStill, kVideo };
// kSdr10, kHlg and kPq: for canvases of 10 bits with these colors.
enum class FrameTarget { kNearest, kRgba, kSdr10, kHlg, kPq };
constexpr bool isDeep(FrameTarget target) {
  return target != FrameTarget::kNearest && target != FrameTarget::kRgba;
}
constexpr CanvasTransfer canvasOf(FrameTarget target) {
  if (target == FrameTarget::kHlg) return CanvasTransfer::kHlg;
  return target == FrameTarget::kPq ? CanvasTransfer::kPq : CanvasTransfer::kSdr;
}
// The target for a canvas of 10 bits; kNearest without one.
FrameTarget targetFor(const std::optional<CanvasTransfer>& canvas);

// The matrix of a video without a tag, as players guess it: BT.601 up to standard definition.
inline AVColorSpace untaggedMatrix(int height) {
  return height <= 576 ? AVCOL_SPC_SMPTE170M : AVCOL_SPC_BT709;
}

// Converts decoded frames to Images in display orientation: opaque 4:2:0 and large photos to kI420 BT.709
// limited range (without a copy if possible), frames with alpha and other stills to kRgbaStraight. The target
// kRgba converts all of them to kRgbaStraight; those of 10 bits give kI010 where opaque frames have more than
// 8 bits or are HDR (of stills, those in planes of YCbCr). Other colour spaces are mapped to BT.709, HDR to
// SDR. Caches its scaler; used by one thread.
class FrameConverter {
 public:
  FrameConverter(FrameOrigin origin, Orientation orientation, FrameTarget target = FrameTarget::kNearest,
                 const MasteringLight& light = {})
      : origin_(origin), orientation_(orientation), target_(target), light_(light) {}

  // Whether convert() returns the frame's own samples, with left-sited chroma.
  bool isPassThrough(const AVFrame& frame) const;
  // The chroma siting of a frame whose own samples convert() returns; nothing for others.
  std::optional<ChromaSiting> passThroughSiting(const AVFrame& frame) const;
  // The frame, which must outlive the result, with what its tags say.
  WideStill wideStillOf(const AVFrame& frame) const;
  // Fails with MEDIA_UNSUPPORTED for layouts that swscale cannot read, or OUT_OF_MEMORY.
  Result<ImagePtr> convert(const AVFrame& frame);

 private:
  struct Layout;
  bool isPassThrough(const AVFrame& frame, const Layout& layout) const;
  bool isDeepPassThrough(const AVFrame& frame, const Layout& layout) const;
  bool hasCanvasColors(const Layout& layout) const;
  Result<ImagePtr> convertDeep(const AVFrame& frame, const Layout& layout);
  Result<ImagePtr> scale(const AVFrame& frame, const Layout& layout);
  Result<ImagePtr> map(const AVFrame& frame, const Layout& layout);
  Layout layoutOf(const AVFrame& frame) const;

  FrameOrigin origin_;
  Orientation orientation_;
  FrameTarget target_;
  MasteringLight light_;
  // What conversion_ was created for.
  struct ConversionKey {
    int width = 0, height = 0;
    ColorLayout from, to;

    bool operator==(const ConversionKey&) const = default;
  } key_;
  std::unique_ptr<ColorConversion> conversion_;
  MappedConversion::Request mapped_;  // what mapping_ was created for
  std::unique_ptr<MappedConversion> mapping_;
};

}  // namespace framewright
