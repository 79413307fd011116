#pragma once

#include <cstdint>
#include <memory>

#include "core/image.h"
#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// How the samples of an image represent colours.
struct ColorLayout {
  AVPixelFormat format = AV_PIX_FMT_NONE;
  AVColorSpace matrix = AVCOL_SPC_BT709;  // for RGB formats: the matrix swscale uses internally
  bool fullRange = false;
  // Where the chroma samples of a source lie; its target keeps their positions.
  ChromaSiting siting = ChromaSiting::kLeft;
  bool isTopSited = false;  // 4:2:0 chroma lies on the upper of its two rows

  bool operator==(const ColorLayout&) const = default;
};

// Converts images of one size to another colour layout: 8-bit 4:2:0 to another matrix or range directly, the
// rest with swscale. swscale converts to RGBA and between YCbCr matrices through packed RGB, one pixel at a
// time; this class goes through planar RGB, for which swscale has SIMD code: the same bytes, several times
// faster. Used by one thread.
class ColorConversion {
 public:
  virtual ~ColorConversion() = default;

  // Fails with MEDIA_UNSUPPORTED for layouts that swscale cannot read, or OUT_OF_MEMORY.
  static Result<std::unique_ptr<ColorConversion>> create(int width, int height, const ColorLayout& from,
                                                         const ColorLayout& to);

  // Takes as many planes as the layouts have. Fails with DECODE_FAILED when swscale does.
  virtual Status run(const uint8_t* const* from, const int* fromStrides, uint8_t* const* to,
                     const int* toStrides) = 0;
};

// A plain swscale context. Fails with MEDIA_UNSUPPORTED for layouts that swscale cannot read.
Result<ScalerPtr> createScaler(int width, int height, const ColorLayout& from, const ColorLayout& to);

}  // namespace framewright
