#include "compositor/cpu/effects/key/difference_keyer.h"

#include <algorithm>
#include <cmath>

#include "core/planes.h"
#include "kernels/straight.h"

namespace framewright {
namespace {

BlockNeighbours neighboursOf(int sample, float perBlock, int blocks) {
  const float position = (static_cast<float>(sample) + 0.5f) * perBlock - 0.5f, before = std::floor(position);
  const int first = static_cast<int>(before);
  return {std::clamp(first, 0, blocks - 1), std::clamp(first + 1, 0, blocks - 1), position - before};
}

float mixed(float from, float to, float share) { return from * (1.0f - share) + to * share; }

void premultiply(uint8_t* row, const uint8_t* straight, const uint8_t* alpha, size_t count) {
  for (size_t i = 0; i < count; ++i) row[i] = static_cast<uint8_t>((straight[i] * alpha[i] + 127) / 255);
}

}  // namespace

void DifferenceKeyer::measureBlocks(const StraightChroma& chroma, const ImagePlanes& planes,
                                    const DifferencePlan& plan) {
  const Plane& alpha = planes.chromaAlpha;
  const int width = alpha.width, height = alpha.height;
  const auto [block, columns, rows] = grid_;
  blocks_.resize(static_cast<size_t>(columns * rows));
  line_.resize(static_cast<size_t>(width));
  shares_.resize(static_cast<size_t>(width * block));
  for (int row = 0; row < rows; ++row) {
    const int top = row * block, lines = std::min(block, height - top);
    for (int y = 0; y < lines; ++y) {
      kernels::mixRow(line_.data(), chroma.rowU(top + y), chroma.rowV(top + y), plan.key, line_.size());
      int32_t* const shares = shares_.data() + static_cast<size_t>(y * width);
      const uint8_t* const alphas = rowOf(alpha, top + y);
      for (int x = 0; x < width; ++x)
        shares[x] = alphas[x] < kMinAlpha ? 0 : screenShare(line_[static_cast<size_t>(x)]);
    }
    for (int column = 0; column < columns; ++column) {
      const int left = column * block, right = std::min(width, left + block);
      int32_t largest = 0, shares = 0, lumas = 0, count = 0;
      for (int y = 0; y < lines; ++y) {
        const auto first = shares_.begin() + y * width;
        largest = std::max(largest, *std::max_element(first + left, first + right));
      }
      for (int y = 0; y < lines; ++y) {
        const uint8_t* const lumaRow = rowOf(planes.y, 2 * (top + y));
        for (int x = left; x < right; ++x) {
          const int32_t share = shares_[static_cast<size_t>(y * width + x)];
          if (!isNearLargest(share, largest)) continue;
          shares += share;
          lumas += lumaRow[2 * x] - 16;
          ++count;
        }
      }
      blocks_[static_cast<size_t>(row * columns + column)] = screenBlock(shares, lumas, count);
    }
  }
}

void DifferenceKeyer::measure(const StraightChroma& chroma, const ImagePlanes& planes,
                              const DifferencePlan& plan) {
  grid_ = screenGrid(planes.chromaAlpha.width, planes.chromaAlpha.height);
  measureBlocks(chroma, planes, plan);
  levels_.resize(blocks_.size());
  fitScreen(grid_, blocks_.data(), plan.minLevel, levels_.data());
}

void DifferenceKeyer::interpolate(int row, float* level) const {
  const BlockNeighbours y = neighboursOf(row, 1.0f / static_cast<float>(grid_.block), grid_.rows);
  const float* const above = levels_.data() + y.before * grid_.columns;
  const float* const below = levels_.data() + y.after * grid_.columns;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const BlockNeighbours& x = columns_[i];
    level[i] = mixed(mixed(above[x.before], above[x.after], x.share),
                     mixed(below[x.before], below[x.after], x.share), y.share);
  }
}

void DifferenceKeyer::apply(const Surface& surface, const ChromaKey& key, const StraightChroma& chroma,
                            EraseBuffers& rows) {
  const ImagePlanes& planes = surface.planes;
  const DifferencePlan plan = planDifferenceKey(key);
  const int chromaWidth = planes.u.width, chromaHeight = planes.u.height;
  measure(chroma, planes, plan);
  const auto width = static_cast<size_t>(surface.width);
  for (auto* row : {&y_, &u_, &v_}) row->resize(width);
  columns_.clear();
  for (int x = 0; x < chromaWidth; ++x)
    columns_.push_back(neighboursOf(x, 1.0f / static_cast<float>(grid_.block), grid_.columns));
  level_.resize(columns_.size());
  lumaLevel_.resize(static_cast<size_t>(chromaWidth) * 2);
  for (int y = 0; y < chromaHeight; ++y) {
    const auto count = static_cast<size_t>(chromaWidth);
    interpolate(y, level_.data());
    std::copy_n(chroma.rowU(y), count, u_.data());
    std::copy_n(chroma.rowV(y), count, v_.data());
    kernels::keyChromaRow(u_.data(), v_.data(), level_.data(), plan.key, count);
    premultiply(rowOf(planes.u, y), u_.data(), rowOf(planes.chromaAlpha, y), count);
    premultiply(rowOf(planes.v, y), v_.data(), rowOf(planes.chromaAlpha, y), count);
  }
  eraseRows(surface, rows, [&](int y, uint16_t* hidden) {
    if (y % 2 == 0) {
      interpolate(y / 2, level_.data());
      for (size_t i = 0; i < level_.size(); ++i) lumaLevel_[2 * i] = lumaLevel_[2 * i + 1] = level_[i];
    }
    const uint8_t* const alpha = rowOf(planes.alpha, y);
    kernels::unpremultiplyRow(y_.data(), rowOf(planes.y, y), alpha, width);
    chroma.fillRow(y, u_.data(), v_.data(), width);
    kernels::keyLumaRow(hidden, y_.data(), u_.data(), v_.data(), lumaLevel_.data(), plan.key, width);
    premultiply(rowOf(planes.y, y), y_.data(), alpha, width);
    return true;
  });
}

}  // namespace framewright
