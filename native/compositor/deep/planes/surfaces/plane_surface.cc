#include "compositor/deep/planes/surfaces/plane_surface.h"

#include <algorithm>

#include "kernels/deep/plane_rows.h"
#include "kernels/deep/surface_rows.h"

namespace framewright {

void PlaneSurface::fit(const PixelRect& newArea) {
  area = newArea;
  for (const PlaneGroup group : kPlaneGroups) {
    const bool isLuma = group == PlaneGroup::kLuma;
    OverlaySamples& samples = of(group);
    const int divisor = isLuma ? 1 : 2;
    samples.resize(area.width() / divisor, area.height() / divisor, isLuma ? 1 : 2);
  }
}

SampleRange opaqueRun(const int16_t* alpha, int width) {
  const int16_t* const end = alpha + width;
  const int16_t* const first = std::find(alpha, end, kernels::kFullSampleWeight);
  const size_t count = kernels::opaqueFrom(first, static_cast<size_t>(end - first));
  return {static_cast<int>(first - alpha), static_cast<int>(first - alpha) + static_cast<int>(count)};
}

Status readFloats(PlaneSurface& to, const FloatImage& image, const CanvasCurves& curves) {
  const int width = image.width();
  OverlaySamples &luma = to.of(PlaneGroup::kLuma), &chroma = to.of(PlaneGroup::kChroma);
  OverlayPair pair(width, {}, kernels::ycbcrScale(10, curves.color().isHdr()));
  OverlaySamples line;
  line.resize(pair.chromaWidth(), 1, 2);
  for (int k = 0; k < chroma.height; ++k) {
    pair.clear();
    for (int i = 0; i < 2; ++i) {
      const kernels::FloatRow row = pair.row(i);
      float* const channels[4] = {row.r, row.g, row.b, row.a};
      for (int channel = 0; channel < 4; ++channel)
        std::copy_n(image.row(channel, 2 * k + i), width, channels[channel]);
      curves.toSignals(row, static_cast<size_t>(width));
      pair.writeLuma(i, luma, 2 * k + i);
    }
    pair.writeChroma(line, 0);
    for (size_t i = 0; i < 2; ++i) std::copy_n(line.colours[i].data(), chroma.width, colourRow(chroma, i, k));
    std::copy_n(line.alpha.data(), chroma.width, alphaRow(chroma, k));
  }
  return {};
}

namespace {

// Chroma and its alpha between the samples, at full width.
class ChromaRows {
 public:
  explicit ChromaRows(const OverlaySamples& chroma)
      : chroma_(chroma), mixed_(static_cast<size_t>(chroma.width)) {
    for (auto& row : rows_) row.resize(2 * mixed_.size() + 2);
  }

  void begin(int y) {
    const int near = y / 2, far = std::clamp(y % 2 == 0 ? near - 1 : near + 1, 0, chroma_.height - 1);
    widen(0, colourRow(chroma_, 0, near), colourRow(chroma_, 0, far));
    widen(1, colourRow(chroma_, 1, near), colourRow(chroma_, 1, far));
    widen(2, alphaRow(chroma_, near), alphaRow(chroma_, far));
  }
  // Cb, Cr or alpha.
  float at(size_t part, size_t x) const { return rows_[part][x]; }

 private:
  void widen(size_t part, const int16_t* near, const int16_t* far) {
    for (size_t i = 0; i < mixed_.size(); ++i)
      mixed_[i] = (3 * static_cast<float>(near[i]) + static_cast<float>(far[i])) * 0.25f;
    kernels::widenFloats(rows_[part].data(), mixed_.data(), true, 2 * mixed_.size());
  }

  const OverlaySamples& chroma_;
  std::vector<float> mixed_;
  std::array<std::vector<float>, 3> rows_;
};

}  // namespace

void writeFloats(FloatImage& to, const PlaneSurface& surface, const CanvasCurves& curves) {
  constexpr float kMaxShare = 4;
  const kernels::YcbcrScale scale = kernels::ycbcrScale(10 + kernels::kCodeFraction, curves.color().isHdr());
  const OverlaySamples& luma = surface.of(PlaneGroup::kLuma);
  ChromaRows chroma(surface.of(PlaneGroup::kChroma));
  const float toRed = 2 * (1 - scale.redShare) * scale.chromaScale,
              toBlue = 2 * (1 - scale.blueShare) * scale.chromaScale;
  const float redInGreen = toRed * scale.redShare / scale.greenShare,
              blueInGreen = toBlue * scale.blueShare / scale.greenShare;
  const auto width = static_cast<size_t>(to.width());
  for (int y = 0; y < to.height(); ++y) {
    chroma.begin(y);
    const int16_t *const samples = colourRow(luma, 0, y), *const alphas = alphaRow(luma, y);
    const kernels::FloatRow row = to.at(0, y);
    for (size_t x = 0; x < width; ++x) {
      const float alpha = static_cast<float>(alphas[x]) * (1.0f / kernels::kFullSampleWeight);
      const float own = (static_cast<float>(samples[x]) - scale.lumaOffset * alpha) * scale.lumaScale;
      // Straight chroma, times the alpha of the pixel.
      const float covered = chroma.at(2, x) * (1.0f / kernels::kFullSampleWeight);
      // Beside an edge little chroma is covered, which is not amplified.
      const float share = covered > 0 ? std::min(alpha / covered, kMaxShare) : 0;
      const float cb = (chroma.at(0, x) - scale.chromaOffset * covered) * share,
                  cr = (chroma.at(1, x) - scale.chromaOffset * covered) * share;
      row.r[x] = own + cr * toRed;
      row.g[x] = own - cr * redInGreen - cb * blueInGreen;
      row.b[x] = own + cb * toBlue;
      row.a[x] = alpha;
    }
    curves.fromSignals(row, width);
  }
}

}  // namespace framewright
