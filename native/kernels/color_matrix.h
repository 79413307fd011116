#pragma once

#include <cstdint>

#include "kernels/rounding.h"

// BT.709 limited range in the fixed-point format of convert.h.
namespace framewright::kernels {

inline constexpr double kRedShare = 0.2126, kBlueShare = 0.0722, kGreenShare = 1 - kRedShare - kBlueShare;
inline constexpr double kLumaRange = 219, kChromaRange = 224, kLumaOffset = 16, kChromaOffset = 128;

// Weights of a wide row's r, g, b, a; sums wrap modulo 2^32 but end in range.
struct MatrixRow {
  uint32_t r, g, b, a;
};
inline constexpr int kMatrixShift = 24;
inline constexpr int kThresholdShift = kMatrixShift - RowRounding::kFractionBits;

constexpr uint32_t matrixWeight(double value) {
  const double scaled = value * (1 << kMatrixShift) / 65025.0;
  return static_cast<uint32_t>(static_cast<int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5)));
}

constexpr MatrixRow chromaMatrix(double redWeight, double greenWeight, double blueWeight) {
  return {matrixWeight(kChromaRange * redWeight), matrixWeight(kChromaRange * greenWeight),
          matrixWeight(kChromaRange * blueWeight), matrixWeight(kChromaOffset)};
}

inline constexpr MatrixRow kLuma{matrixWeight(kLumaRange * kRedShare), matrixWeight(kLumaRange* kGreenShare),
                                 matrixWeight(kLumaRange* kBlueShare), matrixWeight(kLumaOffset)};
inline constexpr double kBlueScale = 0.5 / (1 - kBlueShare), kRedScale = 0.5 / (1 - kRedShare);
inline constexpr MatrixRow kCb = chromaMatrix(-kRedShare * kBlueScale, -kGreenShare* kBlueScale, 0.5);
inline constexpr MatrixRow kCr = chromaMatrix(0.5, -kGreenShare* kRedScale, -kBlueShare* kRedScale);
inline constexpr MatrixRow kAlpha{0, 0, 0, matrixWeight(255)};

}  // namespace framewright::kernels
