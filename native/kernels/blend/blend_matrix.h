#pragma once

#include "kernels/color_matrix.h"

// Conversion between BT.709 limited samples and RGB of 0..1, for blend_modes.
namespace framewright::kernels {

inline constexpr float kUnitLuma = static_cast<float>(1 / kLumaRange);
inline constexpr float kRedPerCr = static_cast<float>(1 / (kChromaRange * kRedScale));
inline constexpr float kBluePerCb = static_cast<float>(1 / (kChromaRange * kBlueScale));
inline constexpr float kGreenPerCr = static_cast<float>(kRedShare / kGreenShare / (kChromaRange * kRedScale));
inline constexpr float kGreenPerCb =
    static_cast<float>(kBlueShare / kGreenShare / (kChromaRange * kBlueScale));
inline constexpr float kCbPerBlue = static_cast<float>(kChromaRange * kBlueScale);
inline constexpr float kCrPerRed = static_cast<float>(kChromaRange * kRedScale);
inline constexpr float kLumaOfRed = static_cast<float>(kRedShare);
inline constexpr float kLumaOfGreen = static_cast<float>(kGreenShare);
inline constexpr float kLumaOfBlue = static_cast<float>(kBlueShare);
inline constexpr float kUnitWeightOfAlpha = 1.0f / (255.0f * 32767.0f);

}  // namespace framewright::kernels
