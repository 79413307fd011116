#include "kernels/blur.h"

#include <algorithm>

namespace framewright::kernels::reference {
namespace {

constexpr int kFraction = 7;

int average(int a, int b) { return (a + b + 1) >> 1; }

}  // namespace

void widenRow(int16_t* dst, const uint8_t* src, size_t count) {
  for (size_t i = 0; i < count; ++i) dst[i] = static_cast<int16_t>(src[i] << kFraction);
}

void narrowRow(uint8_t* dst, const int16_t* src, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int rounded = std::min(src[i] + (1 << (kFraction - 1)), 32767) >> kFraction;
    dst[i] = static_cast<uint8_t>(std::clamp(rounded, 0, 255));
  }
}

void weighRows(int16_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    int sum = 0;
    for (int t = 0; t < taps; ++t) {
      sum = std::min(sum + ((rows[t][i] * weights[t] + 0x4000) >> 15), 32767);
    }
    dst[i] = static_cast<int16_t>(sum);
  }
}

void halveColumns(int16_t* dst, const int16_t* src, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int16_t* at = src + 2 * i;
    const int inner = average(at[0], at[1]), outer = average(at[-1], at[2]);
    dst[i] = static_cast<int16_t>(average(inner, average(inner, outer)));
  }
}

void doubleColumns(int16_t* dst, const int16_t* src, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int16_t* at = src + i;
    dst[2 * i] = static_cast<int16_t>(average(at[0], average(at[0], at[-1])));
    dst[2 * i + 1] = static_cast<int16_t>(average(at[0], average(at[0], at[1])));
  }
}

}  // namespace framewright::kernels::reference
