#pragma once

#include <cstddef>
#include <cstdint>

// Rows of R'G'B' or linear light in 32-bit floats, for composition in high precision. Colour is
// premultiplied. The results do not depend on the instruction set. Pure; any thread.
namespace framewright::kernels {

// A row of pixels. Without alpha it is opaque.
struct FloatRow {
  float *r = nullptr, *g = nullptr, *b = nullptr, *a = nullptr;
};
struct ConstFloatRow {
  const float *r = nullptr, *g = nullptr, *b = nullptr, *a = nullptr;

  ConstFloatRow() = default;
  ConstFloatRow(const float* red, const float* green, const float* blue, const float* alpha)
      : r(red), g(green), b(blue), a(alpha) {}
  ConstFloatRow(const FloatRow& row) : r(row.r), g(row.g), b(row.b), a(row.a) {}
};
// The row from a column on.
inline FloatRow fromColumn(const FloatRow& row, ptrdiff_t x) {
  return {row.r + x, row.g + x, row.b + x, row.a == nullptr ? nullptr : row.a + x};
}
inline ConstFloatRow fromColumn(const ConstFloatRow& row, ptrdiff_t x) {
  return {row.r + x, row.g + x, row.b + x, row.a == nullptr ? nullptr : row.a + x};
}

// Blends `src` over `dst`, weighted by `weight` times `weights` (null: 1), which are 0..1.
void overFloats(const FloatRow& dst, const ConstFloatRow& src, const float* weights, float weight,
                size_t count);
// The same with one colour, which is premultiplied.
struct FloatColor {
  float r = 0, g = 0, b = 0, a = 1;
};
void fillFloats(const FloatRow& dst, const FloatColor& color, const float* weights, float weight,
                size_t count);

// dst = dst * (1 - share) + src * share.
void lerpFloats(float* dst, const float* src, float share, size_t count);
// The same with a share for each sample.
void mixFloats(float* dst, const float* src, const float* shares, size_t count);
// dst += src * weight, and dst = src * weight.
void addScaledFloats(float* dst, const float* src, float weight, size_t count);
void scaleFloats(float* dst, const float* src, float weight, size_t count);
// dst = the sum over t of rows[t] * weights[t]; `taps` is a multiple of 4.
void sumFloats(float* dst, const float* const* rows, const float* weights, size_t taps, size_t count);
// dst *= weights.
void multiplyFloats(float* dst, const float* weights, size_t count);

// How YCbCr samples represent R'G'B': of 8 or 10 bits, limited range.
struct YcbcrScale {
  float lumaOffset, lumaScale;  // signal = (sample - offset) * scale
  float chromaOffset, chromaScale;
  float redShare, greenShare, blueShare;  // of luma
};
YcbcrScale ycbcrScale(int bits, bool isBt2020);

// Limits filtered pixels to what premultiplied colours can be: alpha to 0..1, luma to 0..alpha, and Cb and Cr
// to half of alpha.
void limitPremultiplied(const FloatRow& row, const YcbcrScale& scale, size_t count);

// Adds noise to the luma of signals as kernels::grainRow() does. `strength`: of planGrain().
void grainFloats(const FloatRow& row, const int8_t* noise, int strength, const YcbcrScale& scale,
                 size_t count);

// dst = (near * 3 + far) / 4, of samples.
void mixSamples(float* dst, const uint8_t* near, const uint8_t* far, size_t count);
void mixSamples(float* dst, const uint16_t* near, const uint16_t* far, size_t count);
// Interpolates `width` samples from half as many, which are left-sited or centred.
void widenFloats(float* dst, const float* src, bool isLeftSited, size_t width);
// `cb` and `cr` have the samples' scale.
void signalsOfYcbcr(const FloatRow& dst, const uint8_t* y, const float* cb, const float* cr,
                    const YcbcrScale& scale, size_t count);
void signalsOfYcbcr(const FloatRow& dst, const uint16_t* y, const float* cb, const float* cr,
                    const YcbcrScale& scale, size_t count);

// Pixels of 4 bytes R, G, B, A to premultiplied 0..1.
void floatsOfRgba(const FloatRow& dst, const uint8_t* rgba, bool isStraight, size_t count);

// Luma of a row, rounded with `thresholds` (0..1, repeating; a multiple of 16 of them), limited to the legal
// codes.
void lumaOfSignals(uint16_t* dst, const ConstFloatRow& src, const YcbcrScale& scale, const float* thresholds,
                   size_t count);
// Left-sited chroma of two rows: (count + 1) / 2 samples. Rows are readable one pixel beyond both ends.
void chromaOfSignals(uint16_t* cb, uint16_t* cr, const ConstFloatRow& top, const ConstFloatRow& bottom,
                     const YcbcrScale& scale, const float* thresholds, size_t count);
inline constexpr size_t kThresholdPeriod = 64;

}  // namespace framewright::kernels
