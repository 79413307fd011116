#pragma once

#include <optional>

#include "core/canvas_color.h"
#include "core/image.h"
#include "libav/decode/decoded_frames.h"
#include "libav/decode/frame_converter.h"
#include "libav/hardware/decode/frame_decoder.h"

namespace framewright {

// Makes images of a video's decoded frames as players show them: in the canvas's colors, rotated, single
// fields, between bars. A frame on the card stays there unless its samples have to change; one that cannot be
// downloaded is a fault of `decoder`. Used by one thread.
class FrameImages {
 public:
  // `context` and `stream` must outlive it.
  FrameImages(AVFormatContext& context, AVStream& stream, const std::optional<CanvasTransfer>& canvas);

  Result<ImagePtr> convert(const TimedFrame& shown, FrameDecoder& decoder);
  // Downloads a frame that is on the card.
  Status downloadInPlace(TimedFrame& frame, FrameDecoder& decoder) const;
  Result<ImagePtr> download(const ImagePtr& image, FrameDecoder& decoder) const;

 private:
  Result<ImagePtr> convertOnDevice(const AVFrame& frame, const Image& image, double aspect,
                                   FrameDecoder& decoder);
  Result<ImagePtr> convert(const AVFrame& frame, double aspect);
  double relativeAspect(const AVFrame& frame) const;

  AVFormatContext& context_;
  AVStream& stream_;
  FrameConverter converter_;
};

}  // namespace framewright
