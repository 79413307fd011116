#pragma once

#include <cstdint>
#include <span>

#include "core/image.h"
#include "core/result.h"
#include "kernels/color_lut.h"

namespace framewright {

// Converts the R'G'B' vertices of a color table (16 bits, blue fastest, kernels::ColorLut::kVertices * 3
// values) to the vertices of kernels::mapRow() with channels Y', unused, Cb, Cr. They are the bytes of the
// luma plane of an opaque image, without padding, so that compositors share, upload and evict a table like
// any other image. Fails with OUT_OF_MEMORY.
Result<ImagePtr> gradeTableImage(std::span<const uint16_t> rgb);

// One row of the image has the vertices of one pair of red and green.
inline constexpr int kGradeRowBytes =
    kernels::ColorLut::kSide * kernels::ColorLut::kChannels * static_cast<int>(sizeof(int16_t));
inline constexpr int kGradeRows = kernels::ColorLut::kSide * kernels::ColorLut::kSide;

// Memory of the image.
inline constexpr int64_t kGradeTableBytes = int64_t{kGradeRowBytes} * kGradeRows * 3 / 2;

// Limited-range 8-bit Y'CbCr to R'G'B' signals.
kernels::SignalMatrix gradeMatrix();

}  // namespace framewright
