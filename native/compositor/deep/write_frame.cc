#include "compositor/deep/write_frame.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/planes.h"
#include "kernels/rounding.h"

namespace framewright {
namespace {

using Thresholds = std::array<float, kernels::kThresholdPeriod>;

Thresholds thresholdsOf(int y, bool isDithered) {
  Thresholds thresholds;
  constexpr float kUnit = 1.0f / (1 << kernels::RowRounding::kFractionBits);
  const kernels::RowRounding rounding = isDithered ? kernels::ditheredRow(y) : kernels::RowRounding();
  for (size_t x = 0; x < thresholds.size(); ++x)
    thresholds[x] = static_cast<float>(rounding.threshold(x)) * kUnit;
  return thresholds;
}

void repeatEdges(const kernels::FloatRow& row, int width) {
  for (float* const channel : {row.r, row.g, row.b}) {
    channel[-1] = channel[0];
    channel[width] = channel[width - 1];
  }
}

uint16_t* samplesOf(const Image& image, int plane, int y) {
  return reinterpret_cast<uint16_t*>(rowOf(image.plane(plane), y));
}

kernels::ConstFloatRow opaqueRow(const FloatImage& image, int y) {
  return {image.row(0, y), image.row(1, y), image.row(2, y), nullptr};
}

uint8_t codeOf(float value) { return static_cast<uint8_t>(std::clamp(value, 0.0f, 1.0f) * 255 + 0.5f); }

}  // namespace

void writeDeepFrame(FloatImage& from, const CanvasCurves& curves, bool isDithered, Image& to) {
  const kernels::YcbcrScale scale = kernels::ycbcrScale(10, curves.color().isHdr());
  const int width = from.width(), height = from.height();
  const auto count = static_cast<size_t>(width);
  for (int y = 0; y < height; ++y) {
    curves.toSignals(from.at(0, y), count);
    repeatEdges(from.at(0, y), width);
    kernels::lumaOfSignals(samplesOf(to, 0, y), opaqueRow(from, y), scale, thresholdsOf(y, isDithered).data(),
                           count);
    if (y % 2 == 0 && y + 1 < height) continue;
    const int top = y - y % 2;
    kernels::chromaOfSignals(samplesOf(to, 1, y / 2), samplesOf(to, 2, y / 2), opaqueRow(from, top),
                             opaqueRow(from, y), scale, thresholdsOf(y / 2, isDithered).data(), count);
  }
}

void writeStraight(const FloatImage& from, const CanvasCurves& curves, Image& to) {
  const auto width = static_cast<size_t>(from.width());
  std::array<std::vector<float>, 4> rows;
  for (auto& row : rows) row.resize(width);
  const kernels::FloatRow line{rows[0].data(), rows[1].data(), rows[2].data(),
                               from.hasAlpha() ? rows[3].data() : nullptr};
  for (int y = 0; y < from.height(); ++y) {
    for (int channel = 0; channel < from.channels(); ++channel)
      std::copy_n(from.row(channel, y), width, rows[static_cast<size_t>(channel)].begin());
    curves.toSignals(line, width);
    uint8_t* pixel = rowOf(to.plane(0), y);
    for (size_t x = 0; x < width; ++x, pixel += 4) {
      const float alpha = line.a == nullptr ? 1 : line.a[x];
      pixel[3] = codeOf(alpha);
      for (size_t i = 0; i < 3; ++i) pixel[i] = pixel[3] == 0 ? 0 : codeOf(rows[i][x] / alpha);
    }
  }
}

}  // namespace framewright
