#pragma once

#include <cstddef>
#include <cstdint>

// Composites plane rows. Samples are 8 bit and premultiplied, including the YCbCr offsets (a sample with
// alpha 0 is 0); weights are Q15 up to kFullWeight, which acts as exactly 1 on opaque samples. `dst` may
// alias an input row. Pure; any thread.
namespace framewright::kernels {

inline constexpr uint16_t kFullWeight = 32767;

// dst += (src - dst * alpha / 255) * weight
void overRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count, uint16_t weight);
// overRow() with a weight per sample. Null alpha: opaque.
void overRowMasked(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                   size_t count);
// dst = a + (b - a) * weight
void lerpRow(uint8_t* dst, const uint8_t* a, const uint8_t* b, size_t count, uint16_t weight);
// dst += (value - dst) * weight
void fillRow(uint8_t* dst, uint8_t value, size_t count, uint16_t weight);

// Scalar versions that define the results bit for bit.
namespace reference {
void overRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count, uint16_t weight);
void overRowMasked(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                   size_t count);
void lerpRow(uint8_t* dst, const uint8_t* a, const uint8_t* b, size_t count, uint16_t weight);
void fillRow(uint8_t* dst, uint8_t value, size_t count, uint16_t weight);
}  // namespace reference

}  // namespace framewright::kernels
