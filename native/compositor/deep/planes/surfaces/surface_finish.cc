#include "compositor/deep/planes/surfaces/surface_finish.h"

#include <algorithm>

#include "compositor/deep/finish_rows.h"
#include "compositor/deep/planes/surfaces/sample_blur.h"
#include "compositor/plan/effects/shadow_plan.h"
#include "kernels/deep/plane_rows.h"
#include "kernels/deep/sample_effects.h"
#include "kernels/deep/surface_rows.h"
#include "kernels/shadow.h"

namespace framewright {
namespace {

using kernels::kSharpenReach;
using kernels::kSharpenTaps;

// The rows of a plane around one, with edge samples repeated at both ends.
class PaddedRows {
 public:
  PaddedRows(const std::vector<int16_t>& plane, int width, int height)
      : plane_(plane), width_(width), height_(height) {
    for (auto& row : copies_) row.resize(static_cast<size_t>(width + 2 * kSharpenReach));
    rows_.fill(-1);
  }

  // Call for each row before it is changed; rows of a plane that stays may be left out.
  void advance(int y) {
    for (int i = 0; i < kSharpenTaps; ++i) {
      const int row = std::clamp(y + i - kSharpenReach, 0, height_ - 1);
      const auto slot = static_cast<size_t>(row % kSharpenTaps);
      if (rows_[slot] != row) copy(row);
      rows_[slot] = row;
      at_[static_cast<size_t>(i)] = copies_[slot].data();
    }
  }
  // From column x on.
  std::array<const int16_t*, kSharpenTaps> from(int x) const {
    std::array<const int16_t*, kSharpenTaps> rows = at_;
    for (const int16_t*& row : rows) row += x;
    return rows;
  }

 private:
  void copy(int y) {
    std::vector<int16_t>& row = copies_[static_cast<size_t>(y % kSharpenTaps)];
    const int16_t* const source = plane_.data() + static_cast<ptrdiff_t>(y) * width_;
    std::fill_n(row.begin(), kSharpenReach, source[0]);
    std::copy_n(source, width_, row.begin() + kSharpenReach);
    std::fill_n(row.end() - kSharpenReach, kSharpenReach, source[width_ - 1]);
  }

  const std::vector<int16_t>& plane_;
  const int width_, height_;
  std::array<std::vector<int16_t>, kSharpenTaps> copies_;
  std::array<int, kSharpenTaps> rows_{};  // of the copies
  std::array<const int16_t*, kSharpenTaps> at_{};
};

}  // namespace

void sharpenSurface(PlaneSurface& surface, double amount) {
  OverlaySamples& luma = surface.of(PlaneGroup::kLuma);
  const float strength =
      static_cast<float>(sharpenStrength(amount)) / static_cast<float>(kernels::kSharpenUnit);
  const int width = luma.width, height = luma.height;
  PaddedRows samples(luma.colours[0], width, height), alphas(luma.alpha, width, height);
  std::array<SampleRange, kSharpenTaps> runs{};  // of opaque samples, by row
  const auto runOf = [&](int y) { return opaqueRun(alphaRow(luma, std::clamp(y, 0, height - 1)), width); };
  for (int y = -kSharpenReach; y < kSharpenReach; ++y)
    runs[static_cast<size_t>((y + kSharpenTaps) % kSharpenTaps)] = runOf(y);
  for (int y = 0; y < height; ++y) {
    runs[static_cast<size_t>((y + kSharpenReach) % kSharpenTaps)] = runOf(y + kSharpenReach);
    samples.advance(y);
    int first = 0, end = width;
    for (const SampleRange& run : runs) first = std::max(first, run.first), end = std::min(end, run.end);
    // Samples beyond the edges equal those at the edges.
    if (first > 0) first = std::min(first + kSharpenReach, width);
    if (end < width) end -= kSharpenReach;
    end = std::max(first, end);
    if (first > 0 || end < width) alphas.advance(y);
    const auto sharpen = [&](int from, int to, bool isOpaque) {
      if (to <= from) return;
      kernels::sharpenSamples(colourRow(luma, 0, y) + from, samples.from(from).data(),
                              isOpaque ? nullptr : alphas.from(from).data(), strength,
                              static_cast<size_t>(to - from));
    };
    sharpen(0, first, false);
    sharpen(first, end, true);
    sharpen(end, width, false);
  }
}

void darkenCorners(PlaneSurface& surface, const LayerEffects& effects) {
  std::vector<uint16_t> brightness(static_cast<size_t>(surface.area.width()));
  for (const PlaneGroup group : kPlaneGroups) {
    const bool isLuma = group == PlaneGroup::kLuma;
    const VignettePlan plan = planVignette(*effects.finish.vignette, effects.vignetteBox, group);
    OverlaySamples& samples = surface.of(group);
    const auto width = static_cast<size_t>(samples.width);
    for (int y = 0; y < samples.height; ++y) {
      kernels::vignetteRow(brightness.data(), plan.row(y), plan.table.data(), width);
      for (size_t i = 0; i < coloursOf(group); ++i) {
        kernels::shadeSurface(colourRow(samples, i, y), alphaRow(samples, y), brightness.data(),
                              isLuma ? kernels::kBlackSample : kernels::kNeutralSample, width);
      }
    }
  }
}

void addGrain(PlaneSurface& surface, const LayerEffects& effects) {
  OverlaySamples& luma = surface.of(PlaneGroup::kLuma);
  const GrainPlan plan = planGrain(effects, surface.area.left, surface.area.top);
  const GrainTile& tile = grainTile(effects.grainSize);
  const auto width = static_cast<size_t>(luma.width);
  std::vector<int8_t> noise(width);
  for (int y = 0; y < luma.height; ++y) {
    writeNoise(noise.data(), tile, plan, y, 0, width);
    kernels::grainSurface(colourRow(luma, 0, y), alphaRow(luma, y), noise.data(), plan.strength, width);
  }
}

void applyShape(PlaneSurface& surface, RowShape& shape) {
  if (!shape.hides()) return;
  for (int k = 0; k < surface.of(PlaneGroup::kChroma).height; ++k) {
    const auto weigh = [&](PlaneGroup group, int y) {
      const uint16_t* const weights = shape.weights(group, y);
      if (weights == nullptr) return;
      OverlaySamples& samples = surface.of(group);
      const auto width = static_cast<size_t>(samples.width);
      for (size_t i = 0; i < coloursOf(group); ++i)
        kernels::weighSamples(colourRow(samples, i, y), weights, width);
      kernels::weighSamples(alphaRow(samples, y), weights, width);
    };
    weigh(PlaneGroup::kLuma, 2 * k);
    weigh(PlaneGroup::kLuma, 2 * k + 1);
    weigh(PlaneGroup::kChroma, k);
  }
}

namespace {

// The samples of a colour of the canvas.
struct ShadowColour {
  int16_t luma, chroma[2];
};

ShadowColour samplesOf(const Color& color, const CanvasCurves& curves) {
  kernels::FloatColor own = curves.fromSdr(Color{color.r, color.g, color.b, 255});
  curves.toSignals({&own.r, &own.g, &own.b, nullptr}, 1);
  const kernels::YcbcrScale scale = kernels::ycbcrScale(10, curves.color().isHdr());
  // Chroma is read one pixel beyond both ends.
  const float r[3] = {own.r, own.r, own.r}, g[3] = {own.g, own.g, own.g}, b[3] = {own.b, own.b, own.b};
  const kernels::ConstFloatRow pixel{r + 1, g + 1, b + 1, nullptr};
  ShadowColour samples{};
  kernels::premultipliedLuma(&samples.luma, nullptr, pixel, scale, 1);
  kernels::premultipliedChroma(&samples.chroma[0], &samples.chroma[1], nullptr, pixel, pixel, scale, 1);
  return samples;
}

}  // namespace

void castShadows(PlaneSurface& surface, const std::vector<DropShadow>& shadows, const CanvasCurves& curves,
                 SampleBlur& blur) {
  std::vector<int16_t> shape, padded, cover;
  for (const PlaneGroup group : kPlaneGroups) {
    OverlaySamples& samples = surface.of(group);
    const int width = samples.width, height = samples.height;
    // Shadows are laid under the alpha as well.
    if (shadows.size() > 1) shape = samples.alpha;
    const std::vector<int16_t>& caster = shadows.size() > 1 ? shape : samples.alpha;
    // Transparent samples around the shadow.
    const int step = width + 2;
    for (const DropShadow& shadow : shadows) {
      const ShadowPlan plan = planShadow(shadow, group);
      const ShadowColour colour = samplesOf(shadow.color, curves);
      padded.assign(static_cast<size_t>(step) * static_cast<size_t>(height + 2), 0);
      const auto castAt = [&](int x, int y) {
        return padded.data() + (y + 1) * static_cast<ptrdiff_t>(step) + x + 1;
      };
      for (int y = 0; y < height; ++y)
        std::copy_n(caster.begin() + static_cast<ptrdiff_t>(y) * width, width, castAt(0, y));
      blur.blurAlpha({castAt(0, 0), width, height, step}, plan.sigma);
      const int first = std::max(0, -1 - plan.left), end = std::min(width, width - plan.left);
      if (first >= end) continue;
      const auto covered = static_cast<size_t>(end - first);
      cover.resize(covered);
      const float opacity = static_cast<float>(plan.opacity) / 255;
      const float intensity = static_cast<float>(plan.intensity) / kernels::kShadowIntensityUnit;
      for (int y = std::max(0, -1 - plan.top); y < std::min(height, height - plan.top); ++y) {
        int16_t* const alpha = alphaRow(samples, y) + first;
        if (kernels::opaqueFrom(alpha, covered) == covered) continue;
        const auto lay = [&](int16_t* row, int16_t value) {
          kernels::layUnderSamples(row, alpha, cover.data(), value, opacity, intensity, covered);
        };
        const int16_t* const upper = castAt(first + plan.left, y + plan.top);
        kernels::shiftSamples(cover.data(), upper, upper + step, plan.right, plan.down, covered);
        for (size_t i = 0; i < coloursOf(group); ++i)
          lay(colourRow(samples, i, y) + first, group == PlaneGroup::kLuma ? colour.luma : colour.chroma[i]);
        lay(alpha, kernels::kFullSampleWeight);
      }
    }
  }
}

}  // namespace framewright
