#include "compositor/cpu/layers/composite_row.h"

#include <cstring>

#include "kernels/blend/blend.h"

namespace framewright {
namespace {

using kernels::kFullWeight;

// Calls visit(sample, weight) for the partly covered samples at both ends.
template <typename Visit>
void forEdges(const AxisCoverage& coverage, uint16_t weight, Visit visit) {
  for (int k = coverage.first; k < coverage.fullFirst; ++k) visit(k, weightProduct(coverage.at(k), weight));
  for (int k = coverage.fullEnd; k < coverage.end; ++k) visit(k, weightProduct(coverage.at(k), weight));
}

}  // namespace

void compositeRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const AxisCoverage& coverage,
                  uint16_t weight, const kernels::RowRounding& rounding) {
  forEdges(coverage, weight, [&](int k, uint16_t w) {
    const int i = k - coverage.first;
    kernels::overRowMasked(dst + k, src + i, alpha ? alpha + i : nullptr, &w, 1, rounding.after(k));
  });
  const auto count = static_cast<size_t>(coverage.fullEnd - coverage.fullFirst);
  if (count == 0) return;
  uint8_t* const to = dst + coverage.fullFirst;
  const int skip = coverage.fullFirst - coverage.first;
  if (alpha == nullptr && weight == kFullWeight) {
    std::memcpy(to, src + skip, count);
  } else {
    kernels::overRow(to, src + skip, alpha ? alpha + skip : nullptr, count, weight,
                     rounding.after(coverage.fullFirst));
  }
}

void compositeValue(uint8_t* dst, uint8_t value, const AxisCoverage& coverage, uint16_t weight,
                    const kernels::RowRounding& rounding) {
  forEdges(coverage, weight,
           [&](int k, uint16_t w) { kernels::fillRow(dst + k, value, 1, w, rounding.after(k)); });
  const auto count = static_cast<size_t>(coverage.fullEnd - coverage.fullFirst);
  if (count == 0) return;
  if (weight == kFullWeight) {
    std::memset(dst + coverage.fullFirst, value, count);
  } else {
    kernels::fillRow(dst + coverage.fullFirst, value, count, weight, rounding.after(coverage.fullFirst));
  }
}

void halveWeights(uint16_t* chroma, const uint16_t* top, const uint16_t* bottom, int count) {
  for (int x = 0; x < count; ++x) {
    const uint32_t sum = uint32_t{top[2 * x]} + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1];
    chroma[x] = static_cast<uint16_t>((sum + 2) / 4);
  }
}

}  // namespace framewright
