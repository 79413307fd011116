#include "compositor/deep/finish_rows.h"

#include <algorithm>

namespace framewright {

void FinishRows::begin(const LayerEffects& effects, int left, int top, const CanvasColor& color) {
  scale_ = kernels::ycbcrScale(10, color.isHdr());
  vignette_.reset();
  grain_.reset();
  const Finish& finish = effects.finish;
  if (finish.vignette) vignette_ = planVignette(*finish.vignette, effects.vignetteBox, PlaneGroup::kLuma);
  if (finish.grain <= 0) return;
  grain_ = planGrain(effects, left, top);
  tile_ = &grainTile(effects.grainSize);
}

void FinishRows::darken(int y, const kernels::FloatRow& row, size_t count) {
  constexpr float kUnit = 1.0f / (1 << kernels::kBrightnessBits);
  brightness_.resize(count);
  shares_.resize(count);
  kernels::vignetteRow(brightness_.data(), vignette_->row(y), vignette_->table.data(), count);
  for (size_t x = 0; x < count; ++x) shares_[x] = static_cast<float>(brightness_[x]) * kUnit;
  for (float* const channel : {row.r, row.g, row.b}) kernels::multiplyFloats(channel, shares_.data(), count);
}

void FinishRows::addGrain(int y, const kernels::FloatRow& row, size_t count) {
  std::vector<int8_t> noise(count);
  writeNoise(noise.data(), *tile_, *grain_, y, 0, count);
  kernels::grainFloats(row, noise.data(), grain_->strength, scale_, count);
}

void writeNoise(int8_t* noise, const GrainTile& tile, const GrainPlan& plan, int y, int first, size_t count) {
  constexpr int kSide = GrainTile::kSide;
  const int8_t* const line = tile.noise.data() + (plan.y + y) % kSide * kSide;
  const int length = static_cast<int>(count);
  for (int x = 0; x < length;) {
    const int from = (plan.x + first + x) % kSide, part = std::min(kSide - from, length - x);
    std::copy_n(line + from, part, noise + x);
    x += part;
  }
}

}  // namespace framewright
