#include "compositor/deep/planes/fill_layer.h"

#include <algorithm>

#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

class FillLayer final : public PlaneLayer {
 public:
  FillLayer(const kernels::FloatColor& color, const kernels::YcbcrScale& scale, const PlaneCoverage& coverage,
            double opacity)
      : coverage_(coverage), opacity_(opacity) {
    // Chroma is read one pixel beyond both ends.
    float channels[4][3];
    const float values[4] = {color.r, color.g, color.b, color.a};
    for (size_t i = 0; i < 4; ++i) std::fill_n(channels[i], 3, values[i]);
    const kernels::ConstFloatRow pixel{channels[0] + 1, channels[1] + 1, channels[2] + 1, channels[3] + 1};
    kernels::premultipliedLuma(&luma_, &alpha_, pixel, scale, 1);
    kernels::premultipliedChroma(&chroma_[0], &chroma_[1], &alpha_, pixel, pixel, scale, 1);
  }

  SampleRange rows(PlaneGroup group) const override { return rangeOf(coverage_.of(group).rows); }
  SampleRange span(PlaneGroup group, int) const override { return rangeOf(coverage_.of(group).columns); }
  bool hides(PlaneGroup group, int y) const override {
    return alpha_ == kernels::kFullSampleWeight && isFullRow(coverage_.of(group), y, opacity_);
  }
  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    const RectCoverage& coverage = coverage_.of(group);
    const uint16_t weight = toWeight(opacity_ * coverage.rows.at(y) / kernels::kFullWeight);
    for (size_t i = 0; i < coloursOf(group); ++i) {
      const int16_t value = group == PlaneGroup::kLuma ? luma_ : chroma_[i];
      if (hides(group, y)) {
        std::fill(to[i] + coverage.columns.first, to[i] + coverage.columns.end, value);
        continue;
      }
      forParts(coverage.columns, [&](int first, int end, const uint16_t* weights) {
        kernels::fillSamples(to[i] + first, value, alpha_, weights, weight, static_cast<size_t>(end - first));
      });
    }
  }

 private:
  const PlaneCoverage coverage_;
  const double opacity_;
  int16_t luma_ = 0, alpha_ = 0;
  std::array<int16_t, 2> chroma_{};
};

}  // namespace

std::unique_ptr<PlaneLayer> fillLayer(const kernels::FloatColor& color, const kernels::YcbcrScale& scale,
                                      const PlaneCoverage& coverage, double opacity) {
  return std::make_unique<FillLayer>(color, scale, coverage, opacity);
}

}  // namespace framewright
