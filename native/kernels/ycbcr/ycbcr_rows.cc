#include "kernels/ycbcr/ycbcr_rows.h"

#include <algorithm>

namespace framewright::kernels::reference {
namespace {

uint8_t sampleOf(int32_t sum) { return static_cast<uint8_t>(std::clamp(sum >> YcbcrMatrix::kShift, 0, 255)); }

}  // namespace

void scaleSampleRow(uint8_t* dst, const uint8_t* src, int32_t scale, int32_t offset, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = sampleOf(src[i] * scale + offset);
}

void convertChromaRow(const ChromaRow& dst, int32_t* correction, const ConstChromaRow& src,
                      const YcbcrMatrix& matrix, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int32_t cb = src.cb[i] - YcbcrMatrix::kGrey, cr = src.cr[i] - YcbcrMatrix::kGrey;
    dst.cb[i] = sampleOf(cb * matrix.cbFromCb + cr * matrix.cbFromCr + YcbcrMatrix::kChromaOffset);
    dst.cr[i] = sampleOf(cb * matrix.crFromCb + cr * matrix.crFromCr + YcbcrMatrix::kChromaOffset);
    correction[i] = cb * matrix.lumaFromCb + cr * matrix.lumaFromCr;
  }
}

void mixCorrectionRow(int32_t* dst, const int32_t* near, const int32_t* far, int32_t nearWeight,
                      size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = near[i] * nearWeight + far[i] * (4 - nearWeight);
}

void correctLumaRow(uint8_t* dst, const uint8_t* src, const int32_t* correction, const YcbcrMatrix& matrix,
                    bool isCentred, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int32_t* const at = correction + i / 2;
    const bool isEven = i % 2 == 0;
    const int32_t interpolated = isCentred ? (3 * at[0] + (isEven ? at[-1] : at[1])) >> 4
                                 : isEven  ? at[0] >> 2
                                           : (at[0] + at[1]) >> 3;
    dst[i] = sampleOf(src[i] * matrix.luma + matrix.lumaOffset + interpolated);
  }
}

void splitChromaRow(const ChromaRow& dst, const uint8_t* src, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    dst.cb[i] = src[2 * i];
    dst.cr[i] = src[2 * i + 1];
  }
}

}  // namespace framewright::kernels::reference
