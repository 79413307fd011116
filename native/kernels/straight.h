#pragma once

#include <cstddef>
#include <cstdint>

// Work on straight (not premultiplied) samples, row by row. Pure; any thread.
namespace framewright::kernels {

// dst = src * 255 / alpha, rounded, at most 255; 0 where alpha is.
void unpremultiplyRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count);

// How samples near a colour are hidden: wholly up to `inner` from it, no more from `outer` on.
struct KeyRamp {
  float y = 0, u = 0, v = 0;
  float lumaShare = 1;  // of a distance in luma
  float inner = 0, outer = 1;
};
// Q15 weights: full where all is hidden.
void keyRow(uint16_t* hidden, const uint8_t* y, const uint8_t* u, const uint8_t* v, const KeyRamp& ramp,
            size_t count);

// The plain versions that define the results, bit for bit.
namespace reference {
void unpremultiplyRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count);
void keyRow(uint16_t* hidden, const uint8_t* y, const uint8_t* u, const uint8_t* v, const KeyRamp& ramp,
            size_t count);
}  // namespace reference

}  // namespace framewright::kernels
