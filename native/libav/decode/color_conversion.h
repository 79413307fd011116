#pragma once

#include <cstdint>
#include <memory>

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// How the samples of a picture stand for colours.
struct ColorLayout {
  AVPixelFormat format = AV_PIX_FMT_NONE;
  AVColorSpace matrix = AVCOL_SPC_BT709;  // of YCbCr; swscale's own for what it takes through that
  bool fullRange = false;

  bool operator==(const ColorLayout&) const = default;
};

// Puts pictures of one size into another layout, with swscale. For RGBA, and between two matrices, that goes
// through packed RGB pixel by pixel; here it goes through planes of RGB, for which swscale has vector code:
// the same bytes, several times sooner. Used by one thread.
class ColorConversion {
 public:
  virtual ~ColorConversion() = default;

  // Fails with MEDIA_UNSUPPORTED for layouts that swscale cannot read, or OUT_OF_MEMORY.
  static Result<std::unique_ptr<ColorConversion>> create(int width, int height, const ColorLayout& from,
                                                         const ColorLayout& to);

  // As many planes as the layouts have; fails with DECODE_FAILED where swscale gives up.
  virtual Status run(const uint8_t* const* from, const int* fromStrides, uint8_t* const* to,
                     const int* toStrides) = 0;
};

// swscale alone, all at once.
Result<ScalerPtr> createScaler(int width, int height, const ColorLayout& from, const ColorLayout& to);

}  // namespace framewright
