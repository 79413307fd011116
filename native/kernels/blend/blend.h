#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/rounding.h"

// Composites plane rows. Samples are 8 bit and premultiplied, including the YCbCr offsets (a sample with
// alpha 0 is 0); weights are Q15 up to kFullWeight, which acts as exactly 1 on opaque samples. `dst` may
// alias an input row. Samples with a weight or alpha of 0 and opaque samples at full weight are exact with
// every rounding. Pure; any thread.
namespace framewright::kernels {

inline constexpr uint16_t kFullWeight = 32767;

// dst += (src - dst * alpha / 255) * weight. Null alpha: opaque.
void overRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count, uint16_t weight,
             const RowRounding& rounding = {});
// overRow() with a weight per sample.
void overRowMasked(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                   size_t count, const RowRounding& rounding = {});
// dst = a + (b - a) * weight, rounded to nearest
void lerpRow(uint8_t* dst, const uint8_t* a, const uint8_t* b, size_t count, uint16_t weight);
// dst += (value - dst) * weight
void fillRow(uint8_t* dst, uint8_t value, size_t count, uint16_t weight, const RowRounding& rounding = {});

// Scalar versions that define the results bit for bit.
namespace reference {
void overRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count, uint16_t weight,
             const RowRounding& rounding = {});
void overRowMasked(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                   size_t count, const RowRounding& rounding = {});
void lerpRow(uint8_t* dst, const uint8_t* a, const uint8_t* b, size_t count, uint16_t weight);
void fillRow(uint8_t* dst, uint8_t value, size_t count, uint16_t weight, const RowRounding& rounding = {});
}  // namespace reference

}  // namespace framewright::kernels
