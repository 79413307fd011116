#include "kernels/blend/blend.h"

#include <algorithm>

namespace framewright::kernels::reference {
namespace {

// Rounded product of a 16-bit value and a Q15 weight, as computed by pmulhrsw.
int weigh(int value, int weight) { return (value * weight + 0x4000) >> 15; }

// The sum has RowRounding::kFractionBits, so that it is rounded once. 32897 / 65536 is 128 / 255.
uint8_t over(int dst, int src, int alpha, int weight, int threshold) {
  const int covered = (dst * alpha * 32897LL) >> 16;
  const int sum = dst * 128 + weigh(src * 128 - covered, weight);
  return static_cast<uint8_t>(std::min(sum + threshold, 32767) >> RowRounding::kFractionBits);
}

uint8_t lerp(int a, int b, int weight) { return static_cast<uint8_t>(a + weigh(b - a, weight)); }

}  // namespace

void overRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, size_t count, uint16_t weight,
             const RowRounding& rounding) {
  for (size_t i = 0; i < count; ++i)
    dst[i] = over(dst[i], src[i], alpha ? alpha[i] : 255, weight, rounding.threshold(i));
}

void overRowMasked(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const uint16_t* weights,
                   size_t count, const RowRounding& rounding) {
  for (size_t i = 0; i < count; ++i)
    dst[i] = over(dst[i], src[i], alpha ? alpha[i] : 255, weights[i], rounding.threshold(i));
}

void lerpRow(uint8_t* dst, const uint8_t* a, const uint8_t* b, size_t count, uint16_t weight) {
  for (size_t i = 0; i < count; ++i) dst[i] = lerp(a[i], b[i], weight);
}

void fillRow(uint8_t* dst, uint8_t value, size_t count, uint16_t weight, const RowRounding& rounding) {
  for (size_t i = 0; i < count; ++i) dst[i] = over(dst[i], value, 255, weight, rounding.threshold(i));
}

}  // namespace framewright::kernels::reference
