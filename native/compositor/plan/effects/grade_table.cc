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
  return signalMatrix(
      {kLumaOffset, 1 / kLumaRange, kChromaOffset, 1 / kChromaRange, kRedShare, kGreenShare, kBlueShare});
}

}  // namespace framewright
