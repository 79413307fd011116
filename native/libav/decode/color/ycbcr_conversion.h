#pragma once

#include <cstdint>
#include <vector>

#include "kernels/ycbcr/ycbcr_rows.h"
#include "libav/decode/color_conversion.h"

namespace framewright {

// Converts opaque 8-bit 4:2:0 to another matrix or range without R'G'B' in between, whose 8 bits lose levels
// and clip colours. Chroma is not resampled: the result has the siting of the source. Accepts negative
// strides. Used by one thread.
class YcbcrConversion final : public ColorConversion {
 public:
  // YUV420P or NV12 to YUV420P of another matrix or range.
  static bool supports(const ColorLayout& from, const ColorLayout& to);

  YcbcrConversion(int width, int height, const ColorLayout& from, const ColorLayout& to);

  Status run(const uint8_t* const* from, const int* fromStrides, uint8_t* const* to,
             const int* toStrides) override;

 private:
  struct Frame;
  void scaleRange(const Frame& frame);
  void convertMatrix(const Frame& frame);
  kernels::ConstChromaRow sourceChroma(const Frame& frame, int row);
  void convertChroma(const Frame& frame, int row);
  // The correction of luma at a chroma row. Rows are overwritten by those three further down.
  int32_t* correction(int row) { return corrections_[row % 3].data(); }
  void correctLuma(const Frame& frame, int row);

  const int width_, height_, chromaWidth_, chromaHeight_;
  const bool isInterleaved_, isCentred_, isTopSited_, isRangeOnly_;
  const kernels::YcbcrMatrix matrix_;
  std::vector<uint8_t> cb_, cr_;  // one row of NV12
  std::vector<int32_t> corrections_[3];
  std::vector<int32_t> mixed_;  // with one sample more at both ends
};

}  // namespace framewright
