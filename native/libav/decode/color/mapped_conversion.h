#pragma once

#include <memory>

#include "core/canvas_color.h"
#include "core/image.h"
#include "core/result.h"
#include "libav/decode/color/color_table.h"
#include "libav/decode/color_conversion.h"

namespace framewright {

// Converts frames of another colour space than BT.709. Planar YCbCr is converted in one pass per pair of
// rows, without swscale. Used by one thread.
class MappedConversion {
 public:
  virtual ~MappedConversion() = default;

  // What a conversion is made for.
  struct Request {
    int width = 0, height = 0;
    ColorLayout layout;  // of the source
    ColorSpace space;    // of the source
    bool isStill = false;
    bool toRgba = false;  // otherwise kI420 or kI010 where the source is opaque planar YCbCr
    CanvasTransfer canvas = CanvasTransfer::kSdr;
    bool isDeep = false;  // kI010; always for HDR canvases

    bool operator==(const Request&) const = default;
  };
  // Fails with MEDIA_UNSUPPORTED for layouts that swscale cannot read, or OUT_OF_MEMORY.
  static Result<std::unique_ptr<MappedConversion>> create(const Request& request);

  // A kI420 or kI010 image with the source's siting, or kRgbaStraight. Fails with DECODE_FAILED or
  // OUT_OF_MEMORY.
  virtual Result<ImagePtr> run(const AVFrame& frame) = 0;
};

}  // namespace framewright
