#include "kernels/convert.h"

#include <algorithm>

#include "kernels/color_matrix.h"

namespace framewright::kernels::reference {
namespace {

uint8_t apply(const MatrixRow& m, const ConstWideRow& src, size_t i, uint32_t threshold) {
  const uint32_t sum = src.r[i] * m.r + src.g[i] * m.g + src.b[i] * m.b + src.a[i] * m.a;
  return static_cast<uint8_t>((sum + (threshold << kThresholdShift)) >> kMatrixShift);
}

}  // namespace

void unpackStraightRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count) {
  for (size_t i = 0; i < count; ++i, rgba += 4) {
    const uint16_t a = rgba[3];
    dst.r[i] = static_cast<uint16_t>(rgba[0] * a);
    dst.g[i] = static_cast<uint16_t>(rgba[1] * a);
    dst.b[i] = static_cast<uint16_t>(rgba[2] * a);
    dst.a[i] = static_cast<uint16_t>(255 * a);
    alpha[i] = rgba[3];
  }
}

void unpackPremultipliedRow(const WideRow& dst, uint8_t* alpha, const uint8_t* rgba, size_t count) {
  for (size_t i = 0; i < count; ++i, rgba += 4) {
    dst.r[i] = static_cast<uint16_t>(std::min(rgba[0], rgba[3]) * 255);
    dst.g[i] = static_cast<uint16_t>(std::min(rgba[1], rgba[3]) * 255);
    dst.b[i] = static_cast<uint16_t>(std::min(rgba[2], rgba[3]) * 255);
    dst.a[i] = static_cast<uint16_t>(rgba[3] * 255);
    alpha[i] = rgba[3];
  }
}

void lumaRow(uint8_t* y, const ConstWideRow& src, size_t count, const RowRounding& rounding) {
  for (size_t i = 0; i < count; ++i) y[i] = apply(kLuma, src, i, rounding.threshold(i));
}

void siteChromaRow(uint16_t* dst, const uint16_t* top, const uint16_t* bottom, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const ptrdiff_t at = static_cast<ptrdiff_t>(2 * i);
    const uint32_t sides = top[at - 1] + top[at + 1] + bottom[at - 1] + bottom[at + 1];
    dst[i] = static_cast<uint16_t>((sides + 2u * (top[at] + bottom[at]) + 4) >> 3);
  }
}

void chromaRow(uint8_t* u, uint8_t* v, uint8_t* alpha, const ConstWideRow& src, size_t count,
               const RowRounding& rounding) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t threshold = rounding.threshold(i);
    u[i] = apply(kCb, src, i, threshold);
    v[i] = apply(kCr, src, i, threshold);
    alpha[i] = apply(kAlpha, src, i, threshold);
  }
}

void doubleChromaRow(uint8_t* dst, const uint8_t* near, const uint8_t* far, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const size_t left = i / 2, right = left + i % 2;
    dst[i] = static_cast<uint8_t>((3 * (near[left] + near[right]) + far[left] + far[right] + 4) >> 3);
  }
}

}  // namespace framewright::kernels::reference
