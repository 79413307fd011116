#pragma once

#include <cstddef>
#include <cstdint>

// Rows of YCbCr with other primaries to 8-bit YCbCr: to R'G'B', to light by a power, a matrix, and back by
// another power. Powers are computed; colours that do not clip are looked up. Pure; any thread.
namespace framewright::kernels {

// x^p by a polynomial on [0.5, 2) and a factor for each power of 4, for x from 2^-31 to below 2; relative
// error below 2^-12.
struct PowerCurve {
  static constexpr int kFactors = 16, kCoefficients = 6;
  // Factors of 4^-15 to 4^0, and the polynomial from its constant on.
  float factors[kFactors] = {}, coefficients[kCoefficients] = {};
};
PowerCurve powerCurve(double exponent);

// The change of Y, Cb and Cr by the ratio of Cb and Cr to Y: since light is a power of signals, it is
// proportional to Y as long as no signal exceeds 1.
struct RatioTable {
  static constexpr int kSideBits = 9, kSide = 1 << kSideBits, kLumaBits = 14, kChangeBits = 16;
  // kSide rows of Cr / Y of kSide cells of Cb / Y. The high half has the change in parts of 2^-kChangeBits of
  // Y, beside that for each unit of Cb and Cr; the low half the largest Y to which it applies: 0 at the
  // border and where the change differs within a cell. `chroma`: Cb and Cr in turns, with the same low
  // halves.
  const int32_t *luma = nullptr, *chroma = nullptr;
  // Weight and offset of Y, Cb and Cr: Y with kLumaBits fraction bits, chroma in as many parts of a cell.
  float y[2] = {}, cb[2] = {}, cr[2] = {};
  float originCb = 0, originCr = 0;  // cell of grey
  // Levels of Y, Cb and Cr for each of the units above.
  struct Result {
    float fromChange = 0, fromY = 0, fromCb = 0, fromCr = 0, offset = 0;
  };
  Result results[3];
};

struct PrimariesConversion {
  // Weights of Y, Cb, Cr and an offset for R', G' and B', which are clipped to kMinSignal..1.
  static constexpr float kMinSignal = 1.0F / (1 << 15);
  float signals[3][4] = {};
  PowerCurve toLight;
  float light[3][3] = {};  // clipped to kMinLight..1
  static constexpr float kMinLight = 1.0F / (1U << 31);
  PowerCurve toSignal;
  // Weights of R', G', B' and an offset for Y, Cb and Cr. Results must be in 0..255.
  float ycbcr[3][4] = {};
  RatioTable ratios;
};

// Samples of a row: Y with up to 12 bits, Cb and Cr with up to 16.
struct SampleRow {
  const uint16_t *y, *cb, *cr;
};

void convertPrimariesRow(uint8_t* luma, const SampleRow& from, const PrimariesConversion& conversion,
                         size_t count);
void convertPrimariesRow(uint8_t* cb, uint8_t* cr, const SampleRow& from,
                         const PrimariesConversion& conversion, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void convertPrimariesRow(uint8_t* luma, const SampleRow& from, const PrimariesConversion& conversion,
                         size_t count);
void convertPrimariesRow(uint8_t* cb, uint8_t* cr, const SampleRow& from,
                         const PrimariesConversion& conversion, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
