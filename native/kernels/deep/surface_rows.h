#pragma once

#include <cstddef>
#include <cstdint>

// Rows of surfaces with alpha: premultiplied working samples (plane_rows.h), whose alpha is Q15 with
// kFullSampleWeight as 1. The results do not depend on the instruction set. Pure; any thread.
namespace framewright::kernels {

// dst = src / alpha; 0 where alpha is 0. `dst` may be `src`.
void straightSamples(int16_t* dst, const int16_t* src, const int16_t* alpha, size_t count);
// row = row * weights, which are Q15 with kFullSampleWeight as 1.
void weighSamples(int16_t* row, const uint16_t* weights, size_t count);
// The same with alpha as weights, which premultiplies straight samples.
void premultiplySamples(int16_t* row, const int16_t* alpha, size_t count);

// How many of the first samples are opaque.
size_t opaqueFrom(const int16_t* alpha, size_t count);

// See kernels/finish.h. The same on premultiplied samples.
void shadeSurface(int16_t* row, const int16_t* alpha, const uint16_t* brightness, int16_t neutral,
                  size_t count);
void grainSurface(int16_t* luma, const int16_t* alpha, const int8_t* noise, int strength, size_t count);

// kernels::sharpenRow() for working samples. `luma` and `alpha`: rows y - 2 to y + 2, each from two samples
// before the first result to two after the last; without `alpha` all of them are opaque. `amount`: how often
// the difference from the surroundings is added.
void sharpenSamples(int16_t* dst, const int16_t* const* luma, const int16_t* const* alpha, float amount,
                    size_t count);

// Between samples and the 15 bits of kernels/blur.h. Only what is from 0 to 16383 stays.
void widenSamples(int16_t* dst, const int16_t* src, size_t count);
void narrowSamples(int16_t* dst, const int16_t* src, size_t count);

// Straight chroma of a full-width row: 3/4 of the nearer and 1/4 of the farther row; odd columns are
// interpolated. Reads near[0] to near[count / 2].
void doubleChromaSamples(int16_t* dst, const int16_t* near, const int16_t* far, size_t count);

// Lays a colour under a row: row += value * min(cover * intensity, 1) * opacity * (1 - alpha). `cover` is
// Q15, `opacity` 0 to 1. For the row of the alpha itself `value` is kFullSampleWeight and `alpha` is `row`.
void layUnderSamples(int16_t* row, const int16_t* alpha, const int16_t* cover, int16_t value, float opacity,
                     float intensity, size_t count);

// Bilinear interpolation between two rows of count + 1 samples, `right` and `down` in 64ths of a sample.
void shiftSamples(int16_t* dst, const int16_t* upper, const int16_t* lower, int right, int down,
                  size_t count);
// The same, added to sums; and the mean of `copies` of them.
void addShiftedSamples(int32_t* sums, const int16_t* upper, const int16_t* lower, int right, int down,
                       size_t count);
void averageSamples(int16_t* dst, const int32_t* sums, int copies, size_t count);

}  // namespace framewright::kernels
