#include "compositor/deep/planes/images/rotated_code_layer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compositor/deep/planes/effects/row_effects.h"
#include "compositor/deep/planes/images/rotated_samples.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

class RotatedCodeLayer final : public PlaneLayer {
 public:
  RotatedCodeLayer(std::shared_ptr<const CodeImage> image, const CodePlacement& placement,
                   const ImageSampling& sampling, const CanvasSize& canvas,
                   std::shared_ptr<RowEffects> effects)
      : image_(std::move(image)),
        opacity_(placement.opacity),
        towardsNext_(sampling.levels.towardsNext),
        effects_(std::move(effects)) {
    const Affine shape = placement.extendsEdges ? unitSquareTo(placement.window) : placement.toSurface;
    for (const PlaneGroup group : kPlaneGroups)
      parts_.push_back({RotatedCoverage(shape, placement.window, canvas, group), {}});
  }

  Status begin(const CodePlacement& placement, const ImageSampling& sampling) {
    for (const PlaneGroup group : kPlaneGroups) {
      for (int i = 0; i < sampling.levels.count(); ++i) {
        int found = 0;
        FW_ASSIGN_OR_RETURN(CodeLevel level, image_->level(sampling.levels.level + i, found));
        const SampleBounds bounds =
            boundsOf(placement.crop, group, found, level.image->plane(planeOf(group, 0)));
        const Affine map = planeMapping(group, sampling.imageFromCanvas, image_->chromaOffset(), found);
        partOf(group).levels.push_back({std::move(level), bounds, map});
      }
    }
    return {};
  }

  SampleRange rows(PlaneGroup group) const override { return partOf(group).coverage.rows(); }
  SampleRange span(PlaneGroup group, int y) const override {
    const QuadCoverage::Span span = partOf(group).coverage.span(y);
    return span.empty() ? SampleRange{0, 0} : SampleRange{span.first, span.end};
  }

  void writeCoverage(PlaneGroup group, int y, uint16_t* weights) override {
    const QuadCoverage::Span span = partOf(group).coverage.span(y);
    weigh(group, span, y);
    std::copy(weights_.begin(), weights_.end(), weights + span.first);
  }

  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    const Part& part = partOf(group);
    const QuadCoverage::Span span = part.coverage.span(y);
    const auto count = static_cast<size_t>(span.end - span.first);
    weigh(group, span, y);
    for (auto& row : rows_) row.resize(count);
    for (size_t i = 0; i < coloursOf(group); ++i) {
      const auto sample = [&](size_t level) {
        const Level& from = part.levels[level];
        sampleRotated(rows_[level].data(), from.codes.samples(planeOf(group, i), from.bounds), from.map,
                      {span.first, span.end}, y);
      };
      sample(0);
      if (towardsNext_ > 0) {
        sample(1);
        kernels::overSamples(rows_[0].data(), rows_[1].data(), nullptr, nullptr, towardsNext_, count);
      }
      if (effects_ != nullptr) effects_->apply(group, i, y, span.first, rows_[0].data(), count);
      kernels::overSamples(to[i] + span.first, rows_[0].data(), nullptr, weights_.data(),
                           kernels::kFullWeight, count);
    }
  }

 private:
  struct Level {
    CodeLevel codes;
    SampleBounds bounds;
    Affine map;  // canvas sample positions -> image sample positions
  };
  struct Part {
    RotatedCoverage coverage;
    std::vector<Level> levels;
  };
  Part& partOf(PlaneGroup group) { return parts_[static_cast<size_t>(group)]; }
  const Part& partOf(PlaneGroup group) const { return parts_[static_cast<size_t>(group)]; }

  void weigh(PlaneGroup group, const QuadCoverage::Span& span, int y) {
    partOf(group).coverage.weigh(weights_, span, y, opacity_);
    const uint16_t* const shape = effects_ != nullptr ? effects_->weights(group, y) : nullptr;
    if (shape != nullptr) kernels::multiplyWeights(weights_.data(), shape + span.first, weights_.size());
  }

  const std::shared_ptr<const CodeImage> image_;
  const double opacity_;
  const uint16_t towardsNext_;
  const std::shared_ptr<RowEffects> effects_;
  std::vector<Part> parts_;  // by PlaneGroup
  std::vector<uint16_t> weights_;
  std::array<std::vector<int16_t>, 2> rows_;
};

}  // namespace

Result<std::unique_ptr<PlaneLayer>> rotatedCodeLayer(std::shared_ptr<const CodeImage> image,
                                                     const CodePlacement& placement,
                                                     const ImageSampling& sampling, const CanvasSize& canvas,
                                                     std::shared_ptr<RowEffects> effects) {
  auto layer =
      std::make_unique<RotatedCodeLayer>(std::move(image), placement, sampling, canvas, std::move(effects));
  FW_RETURN_IF_ERROR(layer->begin(placement, sampling));
  return std::unique_ptr<PlaneLayer>(std::move(layer));
}

}  // namespace framewright
