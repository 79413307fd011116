#include "compositor/cpu/effects/color_grade.h"

#include <algorithm>

#include "compositor/plan/effects/grade_table.h"
#include "core/planes.h"
#include "kernels/straight.h"

namespace framewright {
namespace {

// dst = value * alpha / 255, rounded.
void premultiplyRow(uint8_t* dst, const uint8_t* values, const uint8_t* alpha, size_t count) {
  for (size_t i = 0; i < count; ++i)
    dst[i] = static_cast<uint8_t>((values[i] * uint32_t{alpha[i]} + 127) / 255);
}

}  // namespace

ColorGrader::ColorGrader() : matrix_(gradeMatrix()) {}

void ColorGrader::apply(const Surface& surface, const PlanarImage& table) {
  const ImagePlanes& planes = surface.planes;
  int found = 0;
  const auto* const vertices = reinterpret_cast<const int16_t*>(table.level(0, found).y.data);
  const auto width = static_cast<size_t>(planes.y.width), chromaWidth = static_cast<size_t>(planes.u.width);
  for (size_t i = 0; i < 3; ++i) {
    bytes_[i].resize(width);
    samples_[i].resize(width);
    signals_[i].resize(width);
  }
  const kernels::SignalRow signals{signals_[0].data(), signals_[1].data(), signals_[2].data()};
  chroma_.begin(planes.u, planes.v, planes.chromaAlpha);
  for (int row = 0; row < planes.u.height; ++row) {
    // Chroma first: it reads the luma that the rows below replace.
    siteLuma(surface, row);
    for (int x = 0; x < planes.u.width; ++x) {
      samples_[1][static_cast<size_t>(x)] = chroma_.u(x, row);
      samples_[2][static_cast<size_t>(x)] = chroma_.v(x, row);
    }
    kernels::signalRow(signals, samples_[0].data(), samples_[1].data(), samples_[2].data(), matrix_,
                       chromaWidth);
    kernels::mapRow(bytes_[1].data(), bytes_[2].data(), signals, vertices, 2, chromaWidth);
    const uint8_t* const chromaAlpha = rowOf(planes.chromaAlpha, row);
    premultiplyRow(rowOf(planes.u, row), bytes_[1].data(), chromaAlpha, chromaWidth);
    premultiplyRow(rowOf(planes.v, row), bytes_[2].data(), chromaAlpha, chromaWidth);
    for (int y = 2 * row; y < std::min(2 * row + 2, planes.y.height); ++y) {
      const uint8_t* const alpha = rowOf(planes.alpha, y);
      kernels::unpremultiplyRow(bytes_[0].data(), rowOf(planes.y, y), alpha, width);
      chroma_.fillRow(y, bytes_[1].data(), bytes_[2].data(), width);
      toSignals(width);
      kernels::mapRow(bytes_[0].data(), nullptr, signals, vertices, 0, width);
      premultiplyRow(rowOf(planes.y, y), bytes_[0].data(), alpha, width);
    }
  }
}

void ColorGrader::siteLuma(const Surface& surface, int chromaRow) {
  const ImagePlanes& planes = surface.planes;
  const int width = planes.y.width, last = planes.y.height - 1;
  const int rows[2] = {2 * chromaRow, std::min(2 * chromaRow + 1, last)};
  const uint8_t* const luma[2] = {rowOf(planes.y, rows[0]), rowOf(planes.y, rows[1])};
  const uint8_t* const alpha[2] = {rowOf(planes.alpha, rows[0]), rowOf(planes.alpha, rows[1])};
  const auto sum = [width](const uint8_t* const* from, int x) {
    const int left = std::max(2 * x - 1, 0), right = std::min(2 * x + 1, width - 1);
    uint32_t total = 0;
    for (int i = 0; i < 2; ++i) total += from[i][left] + 2u * from[i][2 * x] + from[i][right];
    return total;
  };
  for (int x = 0; x < planes.u.width; ++x) {
    const uint32_t weight = sum(alpha, x), value = sum(luma, x);
    const uint32_t straight = weight == 0 ? 0 : (value * 255 + weight / 2) / weight;
    samples_[0][static_cast<size_t>(x)] = static_cast<uint16_t>(std::min(straight, 255u));
  }
}

void ColorGrader::toSignals(size_t width) {
  for (size_t p = 0; p < 3; ++p) std::copy_n(bytes_[p].data(), width, samples_[p].data());
  kernels::signalRow({signals_[0].data(), signals_[1].data(), signals_[2].data()}, samples_[0].data(),
                     samples_[1].data(), samples_[2].data(), matrix_, width);
}

}  // namespace framewright
