#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/geometry.h"
#include "kernels/color_matrix.h"

namespace framewright {

// The nearest BT.709 limited-range Y, Cb, Cr of an opaque colour; alpha is ignored.
inline std::array<uint8_t, 3> yuvOf(const Color& color) {
  const double r = color.r / 255.0, g = color.g / 255.0, b = color.b / 255.0;
  const double luma = kernels::kRedShare * r + kernels::kGreenShare * g + kernels::kBlueShare * b;
  const auto sample = [](double value) { return static_cast<uint8_t>(std::lround(value)); };
  return {sample(kernels::kLumaOffset + kernels::kLumaRange * luma),
          sample(kernels::kChromaOffset + kernels::kChromaRange * kernels::kBlueScale * (b - luma)),
          sample(kernels::kChromaOffset + kernels::kChromaRange * kernels::kRedScale * (r - luma))};
}

inline constexpr Color kBlack{0, 0, 0, 255}, kWhite{255, 255, 255, 255};

}  // namespace framewright
