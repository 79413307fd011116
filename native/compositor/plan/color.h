#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/geometry.h"
#include "kernels/color_matrix.h"

namespace framewright {

// The nearest BT.709 limited-range Y, Cb, Cr of an opaque colour; alpha is ignored.
inline std::array<uint8_t, 3> yuvOf(const Color& color) {
  using namespace kernels;
  const double r = color.r / 255.0, g = color.g / 255.0, b = color.b / 255.0;
  const double luma = kRedShare * r + kGreenShare * g + kBlueShare * b;
  const auto sample = [](double value) { return static_cast<uint8_t>(std::lround(value)); };
  return {sample(kLumaOffset + kLumaRange * luma),
          sample(kChromaOffset + kChromaRange * kBlueScale * (b - luma)),
          sample(kChromaOffset + kChromaRange * kRedScale * (r - luma))};
}

inline constexpr Color kBlack{0, 0, 0, 255}, kWhite{255, 255, 255, 255};

}  // namespace framewright
