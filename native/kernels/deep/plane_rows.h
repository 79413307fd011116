#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/deep/float_rows.h"
#include "kernels/rounding.h"

// Rows of planes of a composition in 10 bits. Samples are codes with kCodeFraction fraction bits, which
// leaves room for the overshoot of filters; those with alpha are premultiplied, including the offsets. Alpha
// and weights are Q15, where kFullWeight acts as exactly 1. The results do not depend on the instruction set.
// Pure; any thread.
namespace framewright::kernels {

inline constexpr int kCodeFraction = 4;
inline constexpr int16_t kFullSampleWeight = 32767;

// Samples of codes of 10 bits.
void samplesOfCodes(int16_t* dst, const int16_t* codes, size_t count);
// Codes of 10 bits from ones of 8 bits.
void widenCodes(int16_t* dst, const uint8_t* codes, size_t count);

// Thresholds of a row for roundSamples(): those of ditheredRow(y), or of rounding to the nearest code.
inline constexpr size_t kRoundingPeriod = 128;
using SampleThresholds = std::span<const int16_t, 2 * kRoundingPeriod>;
SampleThresholds sampleThresholds(int y, bool isDithered);
// Rounds samples to legal codes. `first` is the position of the first sample in the row.
void roundSamples(uint16_t* codes, const int16_t* samples, SampleThresholds thresholds, size_t first,
                  size_t count);

// dst += (src - dst * alpha) * weight * weights. Null alpha: opaque; null weights: 1.
void overSamples(int16_t* dst, const int16_t* src, const int16_t* alpha, const uint16_t* weights,
                 uint16_t weight, size_t count);
// The same with one premultiplied value and its alpha.
void fillSamples(int16_t* dst, int16_t value, int16_t alpha, const uint16_t* weights, uint16_t weight,
                 size_t count);
// Means of 2x2 samples, which have kCodeFraction fraction bits if the inputs have `fractionBits` (0 or
// kCodeFraction).
void halveSamples(int16_t* dst, const int16_t* top, const int16_t* bottom, int fractionBits, size_t count);

// Planes of a row of premultiplied signals, or of two for chroma; see chromaOfSignals(). `alpha` may be null.
void premultipliedLuma(int16_t* luma, int16_t* alpha, const ConstFloatRow& src, const YcbcrScale& scale,
                       size_t count);
void premultipliedChroma(int16_t* cb, int16_t* cr, int16_t* alpha, const ConstFloatRow& top,
                         const ConstFloatRow& bottom, const YcbcrScale& scale, size_t count);

}  // namespace framewright::kernels
