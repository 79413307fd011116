#include "compositor/deep/planes/surfaces/surface_key.h"

#include <algorithm>
#include <cmath>

#include "compositor/deep/planes/plane_coverage.h"
#include "compositor/plan/effects/key_ramp.h"
#include "kernels/deep/key_rows.h"
#include "kernels/deep/plane_rows.h"
#include "kernels/deep/sample_effects.h"
#include "kernels/deep/surface_rows.h"

namespace framewright {
namespace {

float blended(float from, float to, float share) { return from * (1.0f - share) + to * share; }

}  // namespace

void SurfaceKeyer::apply(PlaneSurface& surface, const ChromaKey& key) {
  const auto width = static_cast<size_t>(surface.area.width());
  chroma_.begin(surface.of(PlaneGroup::kChroma));
  for (auto* const row : {&luma_, &cb_, &cr_}) row->resize(width);
  for (auto& row : visible_) row.resize(width);
  visibleChroma_.resize(width);
  if (isColourful(key)) {
    keyColour(surface, key);
  } else {
    keyGrey(surface, key);
  }
}

void SurfaceKeyer::keepVisible(PlaneSurface& surface, int k) {
  const auto weigh = [&](PlaneGroup group, int y, const std::vector<uint16_t>& weights) {
    OverlaySamples& samples = surface.of(group);
    const auto width = static_cast<size_t>(samples.width);
    for (size_t i = 0; i < (group == PlaneGroup::kLuma ? 1u : 2u); ++i)
      kernels::weighSamples(colourRow(samples, i, y), weights.data(), width);
    kernels::weighSamples(alphaRow(samples, y), weights.data(), width);
  };
  weigh(PlaneGroup::kLuma, 2 * k, visible_[0]);
  weigh(PlaneGroup::kLuma, 2 * k + 1, visible_[1]);
  chromaWeights(visibleChroma_.data(), visible_[0].data(), visible_[1].data(), surface.area.width());
  weigh(PlaneGroup::kChroma, k, visibleChroma_);
}

void SurfaceKeyer::keyGrey(PlaneSurface& surface, const ChromaKey& key) {
  const kernels::KeyRamp ramp = keyRampOf(key);
  const OverlaySamples& luma = surface.of(PlaneGroup::kLuma);
  const auto width = static_cast<size_t>(luma.width);
  for (int k = 0; k < surface.of(PlaneGroup::kChroma).height; ++k) {
    for (int i = 0; i < 2; ++i) {
      const int y = 2 * k + i;
      kernels::straightSamples(luma_.data(), colourRow(luma, 0, y), alphaRow(luma, y), width);
      chroma_.fillRow(y, cb_.data(), cr_.data(), width);
      kernels::keyByDistance(visible_[i].data(), luma_.data(), cb_.data(), cr_.data(), ramp, width);
    }
    keepVisible(surface, k);
  }
}

void SurfaceKeyer::measure(const PlaneSurface& surface, const DifferencePlan& plan) {
  const OverlaySamples &luma = surface.of(PlaneGroup::kLuma), &chroma = surface.of(PlaneGroup::kChroma);
  const int width = chroma.width, height = chroma.height;
  grid_ = screenGrid(width, height);
  const auto [block, columns, rows] = grid_;
  blocks_.resize(static_cast<size_t>(columns * rows));
  line_.resize(static_cast<size_t>(width));
  shares_.resize(static_cast<size_t>(width * block));
  for (int row = 0; row < rows; ++row) {
    const int top = row * block, lines = std::min(block, height - top);
    for (int y = 0; y < lines; ++y) {
      kernels::mixSampleRow(line_.data(), chroma_.row(0, top + y), chroma_.row(1, top + y), plan.key,
                            line_.size());
      int32_t* const shares = shares_.data() + static_cast<ptrdiff_t>(y) * width;
      const int16_t* const alphas = alphaRow(chroma, top + y);
      for (int x = 0; x < width; ++x)
        shares[x] = alphas[x] < kernels::kFullSampleWeight ? 0 : screenShare(line_[static_cast<size_t>(x)]);
    }
    for (int column = 0; column < columns; ++column) {
      const int left = column * block, right = std::min(width, left + block);
      int32_t largest = 0, shares = 0, lumas = 0, count = 0;
      for (int y = 0; y < lines; ++y) {
        const auto first = shares_.begin() + static_cast<ptrdiff_t>(y) * width;
        largest = std::max(largest, *std::max_element(first + left, first + right));
      }
      for (int y = 0; y < lines; ++y) {
        const int16_t* const lumaRow = colourRow(luma, 0, 2 * (top + y));
        for (int x = left; x < right; ++x) {
          const int32_t share = shares_[static_cast<size_t>(y * width + x)];
          if (!isNearLargest(share, largest)) continue;
          shares += share;
          lumas += (lumaRow[2 * x] - kernels::kBlackSample + 32) >> 6;
          ++count;
        }
      }
      blocks_[static_cast<size_t>(row * columns + column)] = screenBlock(shares, lumas, count);
    }
  }
  levels_.resize(blocks_.size());
  fitScreen(grid_, blocks_.data(), plan.minLevel, levels_.data());
}

SurfaceKeyer::BlockPair SurfaceKeyer::pairOf(int sample, int block, int blocks) {
  const float position = (static_cast<float>(sample) + 0.5f) / static_cast<float>(block) - 0.5f,
              before = std::floor(position);
  const int first = static_cast<int>(before);
  return {std::clamp(first, 0, blocks - 1), std::clamp(first + 1, 0, blocks - 1), position - before};
}

void SurfaceKeyer::interpolate(int row, float* level) const {
  const BlockPair y = pairOf(row, grid_.block, grid_.rows);
  const float *const above = levels_.data() + y.before * grid_.columns, *const below =
                                                                            levels_.data() +
                                                                            y.after * grid_.columns;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const BlockPair& x = columns_[i];
    level[i] = blended(blended(above[x.before], above[x.after], x.share),
                       blended(below[x.before], below[x.after], x.share), y.share);
  }
}

void SurfaceKeyer::keyColour(PlaneSurface& surface, const ChromaKey& key) {
  const DifferencePlan plan = planDifferenceKey(key);
  OverlaySamples &luma = surface.of(PlaneGroup::kLuma), &chroma = surface.of(PlaneGroup::kChroma);
  measure(surface, plan);
  columns_.clear();
  for (int x = 0; x < chroma.width; ++x) columns_.push_back(pairOf(x, grid_.block, grid_.columns));
  const auto width = static_cast<size_t>(luma.width), half = static_cast<size_t>(chroma.width);
  level_.resize(half);
  lumaLevel_.resize(width);
  for (int k = 0; k < chroma.height; ++k) {
    interpolate(k, level_.data());
    for (size_t x = 0; x < half; ++x) lumaLevel_[2 * x] = lumaLevel_[2 * x + 1] = level_[x];
    for (int i = 0; i < 2; ++i) {
      const int y = 2 * k + i;
      int16_t* const row = colourRow(luma, 0, y);
      kernels::straightSamples(row, row, alphaRow(luma, y), width);
      chroma_.fillRow(y, cb_.data(), cr_.data(), width);
      kernels::keyLumaSamples(visible_[i].data(), row, cb_.data(), cr_.data(), lumaLevel_.data(), plan.key,
                              width);
      kernels::premultiplySamples(row, alphaRow(luma, y), width);
    }
    int16_t *const cb = colourRow(chroma, 0, k), *const cr = colourRow(chroma, 1, k);
    std::copy_n(chroma_.row(0, k), half, cb);
    std::copy_n(chroma_.row(1, k), half, cr);
    kernels::keyChromaSamples(cb, cr, level_.data(), plan.key, half);
    for (int16_t* const row : {cb, cr}) kernels::premultiplySamples(row, alphaRow(chroma, k), half);
    keepVisible(surface, k);
  }
}

}  // namespace framewright
