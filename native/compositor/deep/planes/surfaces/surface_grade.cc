#include "compositor/deep/planes/surfaces/surface_grade.h"

#include <algorithm>
#include <cmath>

#include "kernels/deep/plane_rows.h"
#include "kernels/deep/surface_rows.h"

namespace framewright {
namespace {

// Working samples to R'G'B' signals.
kernels::SignalMatrix matrixOf(const CanvasCurves& curves) {
  const kernels::YcbcrScale scale = kernels::ycbcrScale(10 + kernels::kCodeFraction, curves.color().isHdr());
  return kernels::signalMatrix({scale.lumaOffset, scale.lumaScale, scale.chromaOffset, scale.chromaScale,
                                scale.redShare, scale.greenShare, scale.blueShare});
}

// Overshoot is limited to what samples without sign can be.
const uint16_t* unsignedRow(std::vector<int16_t>& row) {
  for (int16_t& sample : row) sample = std::max<int16_t>(sample, 0);
  return reinterpret_cast<const uint16_t*>(row.data());
}

}  // namespace

SurfaceGrader::SurfaceGrader(const CanvasCurves& curves)
    : matrix_(matrixOf(curves)), isBt2020_(curves.color().isHdr()) {}

// The vertices have the Y'CbCr of BT.709.
void SurfaceGrader::prepare(const ImagePtr& table) {
  using kernels::ColorLut;
  if (table_ == table) return;
  const auto* const source = reinterpret_cast<const int16_t*>(table->plane(0).data);
  constexpr auto kVertices = static_cast<size_t>(ColorLut::kVertices),
                 kChannels = size_t{ColorLut::kChannels};
  vertices_.assign(source, source + kVertices * kChannels);
  if (isBt2020_) {
    const kernels::YcbcrScale from = kernels::ycbcrScale(10 + kernels::kCodeFraction, false),
                              to = kernels::ycbcrScale(10 + kernels::kCodeFraction, true);
    for (size_t i = 0; i < kVertices; ++i) {
      int16_t* const vertex = &vertices_[i * kChannels];
      const float y = (static_cast<float>(vertex[0]) - from.lumaOffset) * from.lumaScale;
      const float b = y + (static_cast<float>(vertex[2]) - from.chromaOffset) * from.chromaScale * 2 *
                              (1 - from.blueShare);
      const float r = y + (static_cast<float>(vertex[3]) - from.chromaOffset) * from.chromaScale * 2 *
                              (1 - from.redShare);
      const float g = (y - from.redShare * r - from.blueShare * b) / from.greenShare;
      const float luma = to.redShare * r + to.greenShare * g + to.blueShare * b;
      const auto sample = [](float value) { return static_cast<int16_t>(std::lround(value)); };
      vertex[0] = sample(luma / to.lumaScale + to.lumaOffset);
      vertex[2] = sample((b - luma) / (2 * (1 - to.blueShare) * to.chromaScale) + to.chromaOffset);
      vertex[3] = sample((r - luma) / (2 * (1 - to.redShare) * to.chromaScale) + to.chromaOffset);
    }
  }
  vertexLuma_.resize(kVertices + 1);  // a pair is read
  for (size_t i = 0; i < kVertices; ++i) vertexLuma_[i] = vertices_[i * kChannels];
  table_ = table;
}

void SurfaceGrader::apply(PlaneSurface& surface, const ImagePtr& table) {
  prepare(table);
  const int16_t* const vertices = vertices_.data();
  OverlaySamples &luma = surface.of(PlaneGroup::kLuma), &chroma = surface.of(PlaneGroup::kChroma);
  const auto width = static_cast<size_t>(luma.width), half = static_cast<size_t>(chroma.width);
  for (auto& row : signals_) row.resize(width);
  for (auto& row : mapped_) row.resize(width);
  const kernels::SignalRow signals{signals_[0].data(), signals_[1].data(), signals_[2].data()};
  const auto toSignals = [&](size_t count) {
    kernels::signalRow(signals, unsignedRow(samples_[0]), unsignedRow(samples_[1]), unsignedRow(samples_[2]),
                       matrix_, count);
  };
  chroma_.begin(chroma);
  for (int k = 0; k < chroma.height; ++k) {
    // Chroma first: it reads the luma that the rows below replace.
    for (auto& row : samples_) row.resize(half);
    siteLuma(luma, k);
    for (size_t i = 0; i < 2; ++i) std::copy_n(chroma_.row(i, k), half, samples_[i + 1].data());
    toSignals(half);
    kernels::mapRow(mapped_[0].data(), mapped_[1].data(), signals, vertices, 2, half);
    for (size_t i = 0; i < 2; ++i) {
      std::copy_n(mapped_[i].data(), half, colourRow(chroma, i, k));
      kernels::premultiplySamples(colourRow(chroma, i, k), alphaRow(chroma, k), half);
    }
    for (auto& row : samples_) row.resize(width);
    for (int y = 2 * k; y < 2 * k + 2; ++y) {
      kernels::straightSamples(samples_[0].data(), colourRow(luma, 0, y), alphaRow(luma, y), width);
      chroma_.fillRow(y, samples_[1].data(), samples_[2].data(), width);
      toSignals(width);
      kernels::mapLumaRow(colourRow(luma, 0, y), signals, vertexLuma_.data(), width);
      kernels::premultiplySamples(colourRow(luma, 0, y), alphaRow(luma, y), width);
    }
  }
}

void SurfaceGrader::siteLuma(const OverlaySamples& luma, int chromaRow) {
  const int width = luma.width;
  const int16_t* const lumas[2] = {colourRow(luma, 0, 2 * chromaRow), colourRow(luma, 0, 2 * chromaRow + 1)};
  const int16_t* const alphas[2] = {alphaRow(luma, 2 * chromaRow), alphaRow(luma, 2 * chromaRow + 1)};
  const auto sum = [width](const int16_t* const* from, int x) {
    const int left = std::max(2 * x - 1, 0), right = std::min(2 * x + 1, width - 1);
    int32_t total = 0;
    for (int i = 0; i < 2; ++i) total += from[i][left] + 2 * from[i][2 * x] + from[i][right];
    return static_cast<float>(total);
  };
  constexpr float kHighest = 16383;
  for (int x = 0; x < width / 2; ++x) {
    const float weight = sum(alphas, x);
    const float straight = weight <= 0 ? 0 : sum(lumas, x) * (float{kernels::kFullSampleWeight} / weight);
    samples_[0][static_cast<size_t>(x)] = static_cast<int16_t>(std::clamp(straight, 0.0f, kHighest) + 0.5f);
  }
}

}  // namespace framewright
