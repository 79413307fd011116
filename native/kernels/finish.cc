#include "kernels/finish.h"

#include <algorithm>

namespace framewright::kernels::reference {
namespace {

constexpr int kTapWeights[kSharpenTaps] = {1, 4, 6, 4, 1};

// value * alpha / 255, rounded down from the middle.
int share(int value, int alpha) { return (value * alpha + 127) / 255; }

// Luma between black and white, unless it was outside.
int keepLegal(int changed, int before, int alpha) {
  return std::clamp(changed, std::min(before, share(16, alpha)), std::max(before, share(235, alpha)));
}

int weighted(const uint8_t* const* rows, size_t at) {
  int sum = 0;
  for (size_t y = 0; y < kSharpenTaps; ++y) {
    for (size_t x = 0; x < kSharpenTaps; ++x) sum += kTapWeights[y] * kTapWeights[x] * rows[y][at + x];
  }
  return sum;
}

}  // namespace

void sharpenRow(uint8_t* dst, const uint8_t* const* luma, const uint8_t* const* alpha, int strength,
                size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int l = luma[kSharpenReach][i + kSharpenReach], a = alpha[kSharpenReach][i + kSharpenReach];
    const int difference = (l * weighted(alpha, i) - a * weighted(luma, i)) >> 8;
    const int change = (difference * strength + (1 << (kSharpenShift - 1))) >> kSharpenShift;
    dst[i] = static_cast<uint8_t>(keepLegal(l + change, l, a));
  }
}

void vignetteRow(uint16_t* brightness, const VignetteRow& row, const int32_t* table, size_t count) {
  static constexpr int kUnit = 4096;
  const auto coordinate = [](uint32_t position) {
    return std::clamp(static_cast<int32_t>(position) >> (kVignetteBits - 12), -kUnit, kUnit);
  };
  uint32_t x = row.x, y = row.y;
  for (size_t i = 0; i < count; ++i, x += row.stepX, y += row.stepY) {
    const int u = coordinate(x), v = coordinate(y);
    const int squared = u * u + v * v;
    const int step = std::min(squared >> 17, kVignetteSteps - 1), part = (squared - (step << 17)) >> 9;
    brightness[i] = static_cast<uint16_t>(table[step] + ((table[step + 1] - table[step]) * part >> 8));
  }
}

void shadeRow(uint8_t* samples, const uint8_t* alpha, const uint16_t* brightness, int neutral,
              const RowRounding& rounding, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int base = share(neutral, alpha != nullptr ? alpha[i] : 255);
    const int scaled = (samples[i] - base) * brightness[i] >> (kBrightnessBits - RowRounding::kFractionBits);
    samples[i] =
        static_cast<uint8_t>(((base << RowRounding::kFractionBits) + scaled + rounding.threshold(i)) >>
                             RowRounding::kFractionBits);
  }
}

void grainRow(uint8_t* luma, const uint8_t* alpha, const int8_t* noise, int strength, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int l = luma[i], a = alpha != nullptr ? alpha[i] : 255;
    const int midtone = std::max(l - share(16, a), 0) * std::max(share(235, a) - l, 0);
    const int gain = midtone * strength >> (kGrainShift - 15);
    luma[i] = static_cast<uint8_t>(keepLegal(l + ((noise[i] * gain + (1 << 14)) >> 15), l, a));
  }
}

}  // namespace framewright::kernels::reference
