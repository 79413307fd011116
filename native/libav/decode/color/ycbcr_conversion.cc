#include "libav/decode/color/ycbcr_conversion.h"

#include <algorithm>
#include <cmath>

#include "libav/decode/color/color_space.h"

namespace framewright {
namespace {

using kernels::YcbcrMatrix;

struct Levels {
  double black, luma, chroma;  // black, and the ranges of luma and chroma
};
Levels levelsOf(const ColorLayout& layout) {
  return layout.fullRange ? Levels{0, 255, 255} : Levels{16, 219, 224};
}

// R'G'B' in terms of one matrix put into the equations of the other one. Y' itself appears with weight 1 in
// each of R', G' and B', so that it cancels out of Cb and Cr.
YcbcrMatrix ycbcrMatrix(const ColorLayout& from, const ColorLayout& to) {
  const auto [red, blue] = lumaShares(from.matrix);
  const auto [toRed, toBlue] = lumaShares(to.matrix);
  const double greenRatio = (1 - toRed - toBlue) / (1 - red - blue);
  const double redFromCr = 2 * (1 - red), blueFromCb = 2 * (1 - blue);
  const double lumaFromCb = blueFromCb * (toBlue - greenRatio * blue);
  const double lumaFromCr = redFromCr * (toRed - greenRatio * red);
  const double cbScale = 1 / (2 * (1 - toBlue)), crScale = 1 / (2 * (1 - toRed));

  const Levels source = levelsOf(from), target = levelsOf(to);
  const double luma = target.luma / source.luma, chroma = target.chroma / source.chroma;
  const auto fixed = [](double value) {
    return static_cast<int32_t>(std::lround(value * (1 << YcbcrMatrix::kShift)));
  };
  YcbcrMatrix m;
  m.luma = fixed(luma);
  m.lumaOffset = fixed(target.black - source.black * luma) + YcbcrMatrix::kHalf;
  m.lumaFromCb = fixed(lumaFromCb * target.luma / source.chroma);
  m.lumaFromCr = fixed(lumaFromCr * target.luma / source.chroma);
  m.cbFromCb = fixed((blueFromCb - lumaFromCb) * cbScale * chroma);
  m.cbFromCr = fixed(-lumaFromCr * cbScale * chroma);
  m.crFromCb = fixed(-lumaFromCb * crScale * chroma);
  m.crFromCr = fixed((redFromCr - lumaFromCr) * crScale * chroma);
  return m;
}

}  // namespace

struct YcbcrConversion::Frame {
  const uint8_t* const* from;
  const int* fromStrides;
  uint8_t* const* to;
  const int* toStrides;

  const uint8_t* source(int plane, int row) const {
    return from[plane] + ptrdiff_t{row} * fromStrides[plane];
  }
  uint8_t* target(int plane, int row) const { return to[plane] + ptrdiff_t{row} * toStrides[plane]; }
};

bool YcbcrConversion::supports(const ColorLayout& from, const ColorLayout& to) {
  return (from.format == AV_PIX_FMT_YUV420P || from.format == AV_PIX_FMT_NV12) &&
         to.format == AV_PIX_FMT_YUV420P &&
         (from.fullRange != to.fullRange || lumaShares(from.matrix) != lumaShares(to.matrix));
}

YcbcrConversion::YcbcrConversion(int width, int height, const ColorLayout& from, const ColorLayout& to)
    : width_(width),
      height_(height),
      chromaWidth_((width + 1) / 2),
      chromaHeight_((height + 1) / 2),
      isInterleaved_(from.format == AV_PIX_FMT_NV12),
      isCentred_(from.siting == ChromaSiting::kCenter),
      isTopSited_(from.isTopSited),
      isRangeOnly_(lumaShares(from.matrix) == lumaShares(to.matrix)),
      matrix_(ycbcrMatrix(from, to)) {
  const auto samples = static_cast<size_t>(chromaWidth_);
  if (isInterleaved_) {
    cb_.resize(samples);
    cr_.resize(samples);
  }
  if (isRangeOnly_) return;
  for (auto& row : corrections_) row.resize(samples);
  mixed_.resize(samples + 2);
}

Status YcbcrConversion::run(const uint8_t* const* from, const int* fromStrides, uint8_t* const* to,
                            const int* toStrides) {
  const Frame frame{from, fromStrides, to, toStrides};
  if (isRangeOnly_) {
    scaleRange(frame);
  } else {
    convertMatrix(frame);
  }
  return {};
}

void YcbcrConversion::scaleRange(const Frame& frame) {
  for (int y = 0; y < height_; ++y) {
    kernels::scaleSampleRow(frame.target(0, y), frame.source(0, y), matrix_.luma, matrix_.lumaOffset,
                            static_cast<size_t>(width_));
  }
  // The same as (sample - grey) * scale + kChromaOffset.
  const int32_t offset = YcbcrMatrix::kChromaOffset - YcbcrMatrix::kGrey * matrix_.cbFromCb;
  for (int row = 0; row < chromaHeight_; ++row) {
    const auto [cb, cr] = sourceChroma(frame, row);
    kernels::scaleSampleRow(frame.target(1, row), cb, matrix_.cbFromCb, offset,
                            static_cast<size_t>(chromaWidth_));
    kernels::scaleSampleRow(frame.target(2, row), cr, matrix_.crFromCr, offset,
                            static_cast<size_t>(chromaWidth_));
  }
}

void YcbcrConversion::convertMatrix(const Frame& frame) {
  convertChroma(frame, 0);
  for (int row = 0; row < chromaHeight_; ++row) {
    if (row + 1 < chromaHeight_) convertChroma(frame, row + 1);
    correctLuma(frame, row);
  }
}

kernels::ConstChromaRow YcbcrConversion::sourceChroma(const Frame& frame, int row) {
  if (!isInterleaved_) return {frame.source(1, row), frame.source(2, row)};
  kernels::splitChromaRow({cb_.data(), cr_.data()}, frame.source(1, row), static_cast<size_t>(chromaWidth_));
  return {cb_.data(), cr_.data()};
}

void YcbcrConversion::convertChroma(const Frame& frame, int row) {
  kernels::convertChromaRow({frame.target(1, row), frame.target(2, row)}, correction(row),
                            sourceChroma(frame, row), matrix_, static_cast<size_t>(chromaWidth_));
}

// Both luma rows of a chroma row.
void YcbcrConversion::correctLuma(const Frame& frame, int row) {
  const int32_t* const at = correction(row);
  const int32_t* const above = correction(std::max(row - 1, 0));
  const int32_t* const below = correction(std::min(row + 1, chromaHeight_ - 1));
  const auto samples = static_cast<size_t>(chromaWidth_);
  int32_t* const mixed = mixed_.data() + 1;
  for (int i = 0; i < 2 && 2 * row + i < height_; ++i) {
    const int32_t* const far = i == 0 ? above : below;
    const int32_t nearWeight = !isTopSited_ ? 3 : i == 0 ? 4 : 2;
    kernels::mixCorrectionRow(mixed, at, far, nearWeight, samples);
    mixed[-1] = mixed[0];
    mixed[samples] = mixed[samples - 1];
    kernels::correctLumaRow(frame.target(0, 2 * row + i), frame.source(0, 2 * row + i), mixed, matrix_,
                            isCentred_, static_cast<size_t>(width_));
  }
}

}  // namespace framewright
