#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Operations on straight (not premultiplied) samples, row by row. Pure; any thread.
namespace framewright::kernels {

// dst = src * 255 / alpha, rounded, at most 255; 0 where alpha is 0.
void unpremultiplyRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count);

// Extends the visible samples of a row to both sides. False if there are none.
template <typename Sample>
bool extendVisible(Sample* row, const Sample* alpha, int width) {
  int first = 0;
  while (first < width && alpha[first] == 0) ++first;
  if (first == width) return false;
  std::fill(row, row + first, row[first]);
  for (int x = first + 1; x < width; ++x) {
    if (alpha[x] == 0) row[x] = row[x - 1];
  }
  return true;
}

// Chroma key: samples up to `inner` from the key colour are hidden, from `outer` on visible.
struct KeyRamp {
  float y = 0, u = 0, v = 0;
  float lumaShare = 1;  // weight of the luma distance
  float inner = 0, outer = 1;
};
// Q15 weights; kFullWeight hides the sample completely.
void keyRow(uint16_t* hidden, const uint8_t* y, const uint8_t* u, const uint8_t* v, const KeyRamp& ramp,
            size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void unpremultiplyRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count);
void keyRow(uint16_t* hidden, const uint8_t* y, const uint8_t* u, const uint8_t* v, const KeyRamp& ramp,
            size_t count);
}  // namespace reference

}  // namespace framewright::kernels
