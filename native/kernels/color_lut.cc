#include "kernels/color_lut.h"

#include <algorithm>
#include <cmath>

namespace framewright::kernels {

SignalMatrix signalMatrix(const SampleScale& scale) {
  const auto weight = [](double value) {
    return static_cast<int32_t>(std::lround(value * kSignalRange * (1 << SignalMatrix::kShift)));
  };
  const double luma = scale.lumaScale;
  const double redCr = 2 * (1 - scale.redShare) * scale.chromaScale,
               blueCb = 2 * (1 - scale.blueShare) * scale.chromaScale;
  const double greenCr = -redCr * scale.redShare / scale.greenShare,
               greenCb = -blueCb * scale.blueShare / scale.greenShare;
  const double black = -scale.lumaOffset * luma, neutral = scale.chromaOffset;
  // A half rounds signals to the nearest.
  constexpr int32_t kHalf = 1 << (SignalMatrix::kShift - 1);
  SignalMatrix matrix;
  matrix.y = weight(luma);
  matrix.redCr = weight(redCr);
  matrix.greenCb = weight(greenCb);
  matrix.greenCr = weight(greenCr);
  matrix.blueCb = weight(blueCb);
  matrix.redOffset = weight(black - neutral * redCr) + kHalf;
  matrix.greenOffset = weight(black - neutral * (greenCb + greenCr)) + kHalf;
  matrix.blueOffset = weight(black - neutral * blueCb) + kHalf;
  return matrix;
}

}  // namespace framewright::kernels

namespace framewright::kernels::reference {
namespace {

uint16_t clampSignal(int32_t sum) {
  return static_cast<uint16_t>(std::clamp(sum >> SignalMatrix::kShift, 0, kSignalRange));
}

template <int kChannels, typename Sample>
void mapSamples(Sample* dst, Sample* next, const SignalRow& src, const int16_t* vertices, int first,
                size_t count) {
  constexpr int kLast = ColorLut::kSide - 2, kRed = ColorLut::kSide * ColorLut::kSide,
                kGreen = ColorLut::kSide;
  constexpr int kShift = ColorLut::kCellShift + fractionBits<Sample>();
  for (size_t i = 0; i < count; ++i) {
    const int r = src.r[i], g = src.g[i], b = src.b[i];
    const int x = std::min(r >> ColorLut::kCellShift, kLast), y = std::min(g >> ColorLut::kCellShift, kLast),
              z = std::min(b >> ColorLut::kCellShift, kLast);
    const int fr = r - x * ColorLut::kCell, fg = g - y * ColorLut::kCell, fb = b - z * ColorLut::kCell;
    const int high = std::max({fr, fg, fb}), low = std::min({fr, fg, fb}), middle = fr + fg + fb - high - low;
    const int base = x * kRed + y * kGreen + z, end = base + kRed + kGreen + 1;
    const int one = base + (fr == high ? kRed : fg == high ? kGreen : 1);
    const int two = end - (fb == low ? 1 : fg == low ? kGreen : kRed);
    const auto mix = [&](int channel) {
      const auto at = [&](int vertex) { return vertices[vertex * kChannels + channel]; };
      const int sum = at(base) * (ColorLut::kCell - high) + at(one) * (high - middle) +
                      at(two) * (middle - low) + at(end) * low;
      return static_cast<Sample>((sum + (1 << (kShift - 1))) >> kShift);
    };
    dst[i] = mix(first);
    if (next != nullptr) next[i] = mix(first + 1);
  }
}

}  // namespace

void signalRow(const SignalRow& dst, const uint16_t* y, const uint16_t* cb, const uint16_t* cr,
               const SignalMatrix& m, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int32_t luma = y[i] * m.y;
    dst.r[i] = clampSignal(luma + cr[i] * m.redCr + m.redOffset);
    dst.g[i] = clampSignal(luma + cb[i] * m.greenCb + cr[i] * m.greenCr + m.greenOffset);
    dst.b[i] = clampSignal(luma + cb[i] * m.blueCb + m.blueOffset);
  }
}

void convertRow(const SignalRow& row, const SignalCurves& curves, size_t count) {
  const auto& m = curves.matrix;
  for (size_t i = 0; i < count; ++i) {
    const float r = curves.toLight[row.r[i]], g = curves.toLight[row.g[i]], b = curves.toLight[row.b[i]];
    const auto signal = [&](const float* weights) {
      const float light = weights[0] * r + weights[1] * g + weights[2] * b;
      const float root = std::sqrt(std::min(std::max(light, 0.0f), 1.0f));
      return static_cast<uint16_t>(curves.fromRoot[static_cast<int>(root * SignalCurves::kRootSteps + 0.5f)]);
    };
    const uint16_t red = signal(m[0]), green = signal(m[1]), blue = signal(m[2]);
    row.r[i] = red;
    row.g[i] = green;
    row.b[i] = blue;
  }
}

void mapRow(uint8_t* dst, uint8_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count) {
  mapSamples<ColorLut::kChannels>(dst, next, src, vertices, first, count);
}

void mapRow(uint16_t* dst, uint16_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count) {
  mapSamples<ColorLut::kChannels>(dst, next, src, vertices, first, count);
}

void mapLumaRow(uint8_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  mapSamples<1, uint8_t>(dst, nullptr, src, luma, 0, count);
}

void mapLumaRow(uint16_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  mapSamples<1, uint16_t>(dst, nullptr, src, luma, 0, count);
}

void mapRow(int16_t* dst, int16_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count) {
  mapSamples<ColorLut::kChannels>(dst, next, src, vertices, first, count);
}

void mapLumaRow(int16_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  mapSamples<1, int16_t>(dst, nullptr, src, luma, 0, count);
}

}  // namespace framewright::kernels::reference
