#pragma once

#include <cstddef>
#include <cstdint>

// Rows of 8-bit YCbCr 4:2:0 to another matrix or range. Both are linear and keep grey grey, so that no R'G'B'
// is needed: Cb and Cr depend on Cb and Cr alone, and Y on Y and on a correction by the chroma around it.
// Results are rounded to nearest and clamped to 0..255. Pure; any thread.
namespace framewright::kernels {

// Coefficients with kShift fraction bits. Corrections of luma stay below 64 levels, so that sums of 16 of
// them fit in 32 bits.
struct YcbcrMatrix {
  static constexpr int kShift = 20;
  static constexpr int32_t kHalf = 1 << (kShift - 1);
  static constexpr int kGrey = 128;                                    // Cb and Cr without colour
  static constexpr int32_t kChromaOffset = (kGrey << kShift) + kHalf;  // rounds, too

  int32_t luma = 1 << kShift, lumaOffset = kHalf;
  int32_t lumaFromCb = 0, lumaFromCr = 0;
  int32_t cbFromCb = 1 << kShift, cbFromCr = 0;
  int32_t crFromCb = 0, crFromCr = 1 << kShift;
};

// dst = (src * scale + offset) >> YcbcrMatrix::kShift. For changes of range alone.
void scaleSampleRow(uint8_t* dst, const uint8_t* src, int32_t scale, int32_t offset, size_t count);

struct ChromaRow {
  uint8_t *cb, *cr;
};
struct ConstChromaRow {
  const uint8_t *cb, *cr;
};
// Converts a chroma row and computes the correction of luma at its samples.
void convertChromaRow(const ChromaRow& dst, int32_t* correction, const ConstChromaRow& src,
                      const YcbcrMatrix& matrix, size_t count);
// dst = near * nearWeight + far * (4 - nearWeight).
void mixCorrectionRow(int32_t* dst, const int32_t* near, const int32_t* far, int32_t nearWeight,
                      size_t count);
// Adds the interpolated correction to a luma row. `correction`: a mixed row. Reads its samples 0 to
// count / 2, and sample -1 where chroma is centred.
void correctLumaRow(uint8_t* dst, const uint8_t* src, const int32_t* correction, const YcbcrMatrix& matrix,
                    bool isCentred, size_t count);

// Separates the interleaved Cb and Cr of NV12.
void splitChromaRow(const ChromaRow& dst, const uint8_t* src, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void scaleSampleRow(uint8_t* dst, const uint8_t* src, int32_t scale, int32_t offset, size_t count);
void convertChromaRow(const ChromaRow& dst, int32_t* correction, const ConstChromaRow& src,
                      const YcbcrMatrix& matrix, size_t count);
void mixCorrectionRow(int32_t* dst, const int32_t* near, const int32_t* far, int32_t nearWeight,
                      size_t count);
void correctLumaRow(uint8_t* dst, const uint8_t* src, const int32_t* correction, const YcbcrMatrix& matrix,
                    bool isCentred, size_t count);
void splitChromaRow(const ChromaRow& dst, const uint8_t* src, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
