#include "compositor/deep/planes/fill_layer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compositor/deep/planes/effects/row_effects.h"
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

// The same, whose rows are drawn with effects and then blended.
class AffectedFill final : public PlaneLayer {
 public:
  AffectedFill(std::unique_ptr<PlaneLayer> opaque, const PlaneCoverage& coverage, double opacity,
               std::shared_ptr<RowEffects> effects)
      : opaque_(std::move(opaque)), coverage_(coverage), opacity_(opacity), effects_(std::move(effects)) {
    const auto width = static_cast<size_t>(coverage_.of(PlaneGroup::kLuma).columns.end);
    for (auto& row : rows_) row.resize(width + 1);
  }

  SampleRange rows(PlaneGroup group) const override { return rangeOf(coverage_.of(group).rows); }
  SampleRange span(PlaneGroup group, int) const override { return rangeOf(coverage_.of(group).columns); }
  void writeCoverage(PlaneGroup group, int y, uint16_t* weights) override {
    const RectCoverage& coverage = coverage_.of(group);
    writeShare(coverage, toWeight(opacity_ * coverage.rows.at(y) / kernels::kFullWeight),
               effects_->weights(group, y), weights);
  }
  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    const RectCoverage& coverage = coverage_.of(group);
    const AxisCoverage& columns = coverage.columns;
    const auto count = static_cast<size_t>(columns.count());
    const uint16_t weight = toWeight(opacity_ * coverage.rows.at(y) / kernels::kFullWeight);
    // The weight of the row is that of the blend.
    weights_.assign(columns.weights.begin(), columns.weights.end());
    if (const uint16_t* const shape = effects_->weights(group, y))
      kernels::multiplyWeights(weights_.data(), shape + columns.first, count);
    opaque_->draw(group, y, {rows_[0].data(), rows_[1].data()});
    for (size_t i = 0; i < coloursOf(group); ++i) {
      int16_t* const row = rows_[i].data() + columns.first;
      effects_->apply(group, i, y, columns.first, row, count);
      kernels::overSamples(to[i] + columns.first, row, nullptr, weights_.data(), weight, count);
    }
  }

 private:
  const std::unique_ptr<PlaneLayer> opaque_;  // covers at least the same
  const PlaneCoverage coverage_;
  const double opacity_;
  const std::shared_ptr<RowEffects> effects_;
  std::array<std::vector<int16_t>, 2> rows_;
  std::vector<uint16_t> weights_;
};

// A coverage of the same samples that is full.
PlaneCoverage filled(PlaneCoverage coverage) {
  for (RectCoverage& group : coverage.groups) {
    for (AxisCoverage* const axis : {&group.columns, &group.rows}) {
      std::fill(axis->weights.begin(), axis->weights.end(), kernels::kFullWeight);
      axis->fullFirst = axis->first;
      axis->fullEnd = axis->end;
    }
  }
  return coverage;
}

}  // namespace

std::unique_ptr<PlaneLayer> fillLayer(const kernels::FloatColor& color, const kernels::YcbcrScale& scale,
                                      const PlaneCoverage& coverage, double opacity,
                                      std::shared_ptr<RowEffects> effects) {
  if (effects == nullptr) return std::make_unique<FillLayer>(color, scale, coverage, opacity);
  const float alpha = color.a > 0 ? color.a : 1;
  const kernels::FloatColor opaque{color.r / alpha, color.g / alpha, color.b / alpha, 1};
  return std::make_unique<AffectedFill>(std::make_unique<FillLayer>(opaque, scale, filled(coverage), 1.0),
                                        coverage, opacity * static_cast<double>(color.a), std::move(effects));
}

}  // namespace framewright
