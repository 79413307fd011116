#include "compositor/plan/effects/grade_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "kernels/color_matrix.h"

namespace framewright {

Result<ImagePtr> gradeTableImage(std::span<const uint16_t> rgb) {
  using kernels::ColorLut;
  constexpr int kChromaWidth = kGradeRowBytes / 2, kChromaHeight = (kGradeRows + 1) / 2;
  struct Memory {
    std::vector<int16_t> vertices;
    std::vector<uint8_t> chroma;
  };
  auto memory = std::make_shared<Memory>();
  memory->vertices.reserve(static_cast<size_t>(ColorLut::kVertices) * ColorLut::kChannels);
  memory->chroma.assign(static_cast<size_t>(kChromaWidth) * kChromaHeight, 128);
  const auto add = [&](double level) {
    constexpr double kScale = 1 << ColorLut::kFractionBits;
    memory->vertices.push_back(static_cast<int16_t>(std::lround(std::clamp(level, 0.0, 255.0) * kScale)));
  };
  for (size_t i = 0; i + 2 < rgb.size(); i += 3) {
    const double red = rgb[i] / 65535.0, green = rgb[i + 1] / 65535.0, blue = rgb[i + 2] / 65535.0;
    const double luma = kernels::kRedShare * red + kernels::kGreenShare * green + kernels::kBlueShare * blue;
    add(kernels::kLumaOffset + kernels::kLumaRange * luma);
    add(0);
    add(kernels::kChromaOffset + kernels::kChromaRange * kernels::kBlueScale * (blue - luma));
    add(kernels::kChromaOffset + kernels::kChromaRange * kernels::kRedScale * (red - luma));
  }
  // A table of another size is a defect of the caller; missing vertices are black.
  memory->vertices.resize(static_cast<size_t>(ColorLut::kVertices) * ColorLut::kChannels);
  const Plane chroma{memory->chroma.data(), kChromaWidth, kChromaWidth, kChromaHeight};
  const Plane planes[3] = {
      {reinterpret_cast<uint8_t*>(memory->vertices.data()), kGradeRowBytes, kGradeRowBytes, kGradeRows},
      chroma,
      chroma};
  return ImagePtr(Image::wrap(PixelFormat::kI420, kGradeRowBytes, kGradeRows, planes, memory));
}

kernels::SignalMatrix gradeMatrix() {
  using namespace kernels;
  const auto weight = [](double value) {
    return static_cast<int32_t>(std::lround(value * kSignalRange * (1 << SignalMatrix::kShift)));
  };
  const double luma = 1 / kLumaRange, redCr = 1 / (kChromaRange * kRedScale),
               blueCb = 1 / (kChromaRange * kBlueScale);
  const double greenCr = -redCr * kRedShare / kGreenShare, greenCb = -blueCb * kBlueShare / kGreenShare;
  const double black = -kLumaOffset * luma;
  // A half rounds signals to the nearest.
  constexpr int32_t kHalf = 1 << (SignalMatrix::kShift - 1);
  SignalMatrix matrix;
  matrix.y = weight(luma);
  matrix.redCr = weight(redCr);
  matrix.greenCb = weight(greenCb);
  matrix.greenCr = weight(greenCr);
  matrix.blueCb = weight(blueCb);
  matrix.redOffset = weight(black - kChromaOffset * redCr) + kHalf;
  matrix.greenOffset = weight(black - kChromaOffset * (greenCb + greenCr)) + kHalf;
  matrix.blueOffset = weight(black - kChromaOffset * blueCb) + kHalf;
  return matrix;
}

}  // namespace framewright
