#include "compositor/deep/planes/plane_coverage.h"

#include <algorithm>

#include "kernels/deep/sample_effects.h"

namespace framewright {
namespace {

void findEnds(AxisCoverage& axis) {
  const auto isFull = [&](int k) { return axis.at(k) == kernels::kFullWeight; };
  axis.fullFirst = axis.first;
  while (axis.fullFirst < axis.end && !isFull(axis.fullFirst)) ++axis.fullFirst;
  axis.fullEnd = axis.fullFirst;
  while (axis.fullEnd < axis.end && isFull(axis.fullEnd)) ++axis.fullEnd;
}

AxisCoverage chromaAxis(const AxisCoverage& luma, int pixels, bool isAcross) {
  AxisCoverage chroma;
  if (luma.empty()) return chroma;
  const auto at = [&](int k) -> uint32_t {
    const int inside = std::clamp(k, 0, pixels - 1);
    return inside >= luma.first && inside < luma.end ? luma.at(inside) : 0;
  };
  const int samples = samplesAlong(pixels, PlaneGroup::kChroma);
  const int first = luma.first / 2, end = std::min(samples, luma.end / 2 + 1);
  chroma.first = chroma.end = first;
  for (int k = first; k < end; ++k) {
    const uint32_t weight = isAcross ? (at(2 * k - 1) + 2 * at(2 * k) + at(2 * k + 1) + 2) / 4
                                     : (at(2 * k) + at(2 * k + 1) + 1) / 2;
    if (weight == 0 && chroma.weights.empty()) {
      chroma.first = k + 1;
    } else if (weight > 0) {
      chroma.weights.push_back(static_cast<uint16_t>(weight));
    }
  }
  chroma.end = chroma.first + static_cast<int>(chroma.weights.size());
  findEnds(chroma);
  return chroma;
}

}  // namespace

PlaneCoverage::PlaneCoverage(const Rect& rect, const CanvasSize& canvas) {
  groups[0].cover(rect, canvas, PlaneGroup::kLuma);
  groups[1].columns = chromaAxis(groups[0].columns, canvas.width, true);
  groups[1].rows = chromaAxis(groups[0].rows, canvas.height, false);
}

void writeShare(const RectCoverage& coverage, uint16_t rowWeight, const uint16_t* shape, uint16_t* weights) {
  const AxisCoverage& columns = coverage.columns;
  uint16_t* const covered = weights + columns.first;
  std::copy(columns.weights.begin(), columns.weights.end(), covered);
  if (rowWeight != kernels::kFullWeight) {
    for (size_t i = 0; i < columns.weights.size(); ++i) covered[i] = weightProduct(covered[i], rowWeight);
  }
  if (shape != nullptr) kernels::multiplyWeights(covered, shape + columns.first, columns.weights.size());
}

void chromaWeights(uint16_t* chroma, const uint16_t* top, const uint16_t* bottom, int width) {
  const auto both = [&](int x) -> uint32_t { return uint32_t{top[x]} + bottom[x]; };
  const int count = samplesAlong(width, PlaneGroup::kChroma);
  if (width >= 4)
    kernels::chromaOfWeights(chroma + 1, top + 2, bottom + 2, static_cast<size_t>(width / 2 - 1));
  for (const int k : {0, count - 1}) {
    const int left = std::max(2 * k - 1, 0), right = std::min(2 * k + 1, width - 1);
    chroma[k] = static_cast<uint16_t>((both(left) + 2 * both(2 * k) + both(right) + 4) / 8);
  }
}

}  // namespace framewright
