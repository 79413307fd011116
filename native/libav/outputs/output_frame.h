#pragma once

#include <memory>

#include "core/canvas_color.h"
#include "core/geometry.h"
#include "core/image.h"
#include "libav/av_handle.h"

namespace framewright {

// What a converted frame looks like.
struct OutputFrameLayout {
  int width = 0, height = 0;
  AVPixelFormat format = AV_PIX_FMT_NONE;
  bool hasAlpha = false;
  Color matte;  // under transparent parts where hasAlpha is false
  CanvasTransfer transfer = CanvasTransfer::kSdr;
};

// Scales canvas frames and converts them for encoders: straight alpha or a matte, in limited range with the
// colors of the canvas (JPEG: BT.601 full range). Reuses its scalers; used by one thread.
class OutputFrameConverter {
 public:
  explicit OutputFrameConverter(const OutputFrameLayout& layout) : layout_(layout) {}

  // Converts kI420, kI010 or kRgbaStraight to a new frame with color tags. Fails with OUT_OF_MEMORY.
  Result<FramePtr> convert(const Image& image);
  // The same for layouts of AV_PIX_FMT_YUV420P and AV_PIX_FMT_YUV420P10LE: kI420 or kI010.
  Result<ImagePtr> toPlanes(const Image& image);
  // Only scales: kRgbaStraight of the layout's size, opaque unless the layout has alpha.
  Result<std::shared_ptr<Image>> toRgba(const Image& image);

 private:
  struct Scaling {
    ScalerPtr scaler;
    int width = 0, height = 0;
    AVPixelFormat format = AV_PIX_FMT_NONE;
  };
  Result<SwsContext*> scaler(Scaling& scaling, int width, int height, AVPixelFormat from, AVPixelFormat to);
  Status scaleStraight(const Image& image, Image& to);

  const OutputFrameLayout layout_;
  Scaling size_, colors_;
};

// Tags a frame with the colors that OutputFrameConverter produces for its pixel format.
void tagColors(AVFrame& frame, CanvasTransfer transfer);

// Gives fully transparent pixels the color of their surroundings, so that chroma subsampling and lossy coding
// do not darken edges. kRgbaStraight; alpha is unchanged.
void fillTransparentPixels(Image& image);

}  // namespace framewright
