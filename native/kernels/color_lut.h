#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Colour mapping of R'G'B' rows, through a three-dimensional table with tetrahedral interpolation or through
// curves and a matrix, and the conversion of YCbCr rows to R'G'B' before it. Signals are 0..kSignalRange.
// Pure; any thread.
namespace framewright::kernels {

inline constexpr int kSignalRange = 1 << 15;

// kSide vertices along red, green and blue (slowest to fastest), each four channels with 6 fraction bits.
struct ColorLut {
  static constexpr int kSide = 65, kCellShift = 9;
  static constexpr int kCell = 1 << kCellShift;  // kSignalRange / (kSide - 1)
  static constexpr int kVertices = kSide * kSide * kSide;
  static constexpr int kChannels = 4, kFractionBits = 6;
};

// Signal = (sample weights * samples + offset) >> kShift, clamped. Cb and Cr carry 4 more fraction bits than
// Y.
struct SignalMatrix {
  static constexpr int kShift = 12, kChromaBits = 4;
  int32_t y = 0, redCr = 0, greenCb = 0, greenCr = 0, blueCb = 0;
  int32_t redOffset = 0, greenOffset = 0, blueOffset = 0;
};

// What samples of limited range mean: signal = (sample - offset) * scale, and the shares of R, G and B in
// luma.
struct SampleScale {
  double lumaOffset, lumaScale;
  double chromaOffset, chromaScale;
  double redShare, greenShare, blueShare;
};
SignalMatrix signalMatrix(const SampleScale& scale);

// Fraction bits that vertices have beside those of a result.
template <typename Sample>
constexpr int fractionBits() {
  if (std::is_signed_v<Sample>) return 0;  // working samples, which have them as well
  return sizeof(Sample) == 1 ? ColorLut::kFractionBits : ColorLut::kFractionBits - 2;
}

struct SignalRow {
  uint16_t *r, *g, *b;
};

// Conversion between R'G'B' of two sets of primaries: to light by one curve, a matrix, to signals by another.
struct SignalCurves {
  static constexpr int kRootSteps = 1 << 14;
  const float* toLight = nullptr;  // kSignalRange + 1 values
  float matrix[3][3] = {};
  const int32_t* fromRoot = nullptr;  // signals by the square root of light, kRootSteps + 1 values
};

// Samples have up to 14 bits, Cb and Cr up to 16.
void signalRow(const SignalRow& dst, const uint16_t* y, const uint16_t* cb, const uint16_t* cr,
               const SignalMatrix& matrix, size_t count);

// Converts a row in place. Light beyond 0..1 is clipped.
void convertRow(const SignalRow& row, const SignalCurves& curves, size_t count);

// Maps a row to one or two neighbouring channels of the table, rounded to 8 bits: channel `first` to `dst`
// and, unless null, the next one to `next`. `first` is even. `vertices`: kVertices * kChannels values from 0
// to 255 << kFractionBits.
void mapRow(uint8_t* dst, uint8_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count);
// The same, rounded to 10 bits.
void mapRow(uint16_t* dst, uint16_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count);

// The same as working samples of kernels/deep/plane_rows.h.
void mapRow(int16_t* dst, int16_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count);

// The same for channel 0 alone, of which `luma` has the kVertices values without those of other channels.
// Faster.
void mapLumaRow(uint8_t* dst, const SignalRow& src, const int16_t* luma, size_t count);
void mapLumaRow(uint16_t* dst, const SignalRow& src, const int16_t* luma, size_t count);
void mapLumaRow(int16_t* dst, const SignalRow& src, const int16_t* luma, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void signalRow(const SignalRow& dst, const uint16_t* y, const uint16_t* cb, const uint16_t* cr,
               const SignalMatrix& matrix, size_t count);
void convertRow(const SignalRow& row, const SignalCurves& curves, size_t count);
void mapRow(uint8_t* dst, uint8_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count);
void mapRow(uint16_t* dst, uint16_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count);
void mapLumaRow(uint8_t* dst, const SignalRow& src, const int16_t* luma, size_t count);
void mapLumaRow(uint16_t* dst, const SignalRow& src, const int16_t* luma, size_t count);
void mapRow(int16_t* dst, int16_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count);
void mapLumaRow(int16_t* dst, const SignalRow& src, const int16_t* luma, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
