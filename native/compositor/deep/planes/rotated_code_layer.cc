#include "compositor/deep/planes/rotated_code_layer.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "compositor/deep/planes/effects/row_effects.h"
#include "compositor/deep/planes/plane_coverage.h"
#include "compositor/plan/quad_coverage.h"
#include "kernels/deep/plane_rows.h"
#include "kernels/resample.h"

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
    for (const PlaneGroup group : kPlaneGroups) {
      Part& part = parts_[static_cast<size_t>(group)];
      part.coverage.cover(placement.window, canvas, group);
      part.quad = QuadCoverage(shape, group);
      part.range = part.coverage.empty() ? SampleRange{0, 0} : part.quad.rows(part.coverage.rows);
    }
  }

  Status begin(const CodePlacement& placement, const ImageSampling& sampling) {
    for (const PlaneGroup group : kPlaneGroups) {
      for (int i = 0; i < sampling.levels.count(); ++i) {
        int found = 0;
        FW_ASSIGN_OR_RETURN(CodeLevel level, image_->level(sampling.levels.level + i, found));
        const SampleBounds bounds =
            boundsOf(placement.crop, group, found, level.image->plane(planeOf(group, 0)));
        const Affine map = planeMapping(group, sampling.imageFromCanvas, image_->chromaOffset(), found);
        parts_[static_cast<size_t>(group)].levels.push_back({std::move(level), bounds, map});
      }
    }
    return {};
  }

  SampleRange rows(PlaneGroup group) const override { return parts_[static_cast<size_t>(group)].range; }
  SampleRange span(PlaneGroup group, int y) const override {
    const Part& part = parts_[static_cast<size_t>(group)];
    const QuadCoverage::Span span = spanOf(part, y);
    return span.empty() ? SampleRange{0, 0} : SampleRange{span.first, span.end};
  }

  void writeCoverage(PlaneGroup group, int y, uint16_t* weights) override {
    const QuadCoverage::Span span = spanOf(parts_[static_cast<size_t>(group)], y);
    weigh(group, span, y);
    std::copy(weights_.begin(), weights_.end(), weights + span.first);
  }

  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    const Part& part = parts_[static_cast<size_t>(group)];
    const QuadCoverage::Span span = spanOf(part, y);
    const auto count = static_cast<size_t>(span.end - span.first);
    weigh(group, span, y);
    for (auto& row : rows_) row.resize(count);
    for (size_t i = 0; i < coloursOf(group); ++i) {
      walk(rows_[0], part.levels[0], planeOf(group, i), span, y);
      if (towardsNext_ > 0) {
        walk(rows_[1], part.levels[1], planeOf(group, i), span, y);
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
    RectCoverage coverage;
    QuadCoverage quad;
    SampleRange range{0, 0};
    std::vector<Level> levels;
  };

  static QuadCoverage::Span spanOf(const Part& part, int y) {
    return part.quad.span(y, part.coverage.columns, part.coverage.columns.first);
  }

  void weigh(PlaneGroup group, const QuadCoverage::Span& span, int y) {
    const Part& part = parts_[static_cast<size_t>(group)];
    const double row = opacity_ * part.coverage.rows.at(y) / kernels::kFullWeight;
    weights_.assign(static_cast<size_t>(span.end - span.first), toWeight(row));
    const AxisCoverage& columns = part.coverage.columns;
    const auto edges = [&](int first, int end) {
      for (int x = first; x < end; ++x) {
        const bool isInside = x >= span.fullFirst && x < span.fullEnd;
        const double covered = isInside ? 1 : part.quad.covered(x, y);
        weights_[static_cast<size_t>(x - span.first)] =
            toWeight(row * covered * columns.at(x) / kernels::kFullWeight);
      }
    };
    const int inner = std::clamp(std::max(span.fullFirst, columns.fullFirst), span.first, span.end);
    const int outer = std::clamp(std::min(span.fullEnd, columns.fullEnd), inner, span.end);
    edges(span.first, inner);
    edges(outer, span.end);
    const uint16_t* const shape = effects_ != nullptr ? effects_->weights(group, y) : nullptr;
    if (shape != nullptr) kernels::multiplyWeights(weights_.data(), shape + span.first, weights_.size());
  }

  static void walk(std::vector<int16_t>& out, const Level& from, int plane, const QuadCoverage::Span& span,
                   int y) {
    const Plane& source = from.codes.image->plane(plane);
    const kernels::CodePlane samples{
        from.codes.row(plane, 0),
        static_cast<int32_t>(source.stride / static_cast<ptrdiff_t>(sizeof(int16_t))),
        from.bounds.left,
        from.bounds.right,
        from.bounds.top,
        from.bounds.bottom,
        from.codes.fractionBits};
    const Affine& m = from.map;
    const int32_t stepX = toFixedPosition(m.xx), stepY = toFixedPosition(m.yx);
    // Positions are computed anew now and then, which bounds the error of their steps.
    for (int x = span.first; x < span.end; x += kSamplesPerWalk) {
      const int end = std::min(span.end, x + kSamplesPerWalk);
      const kernels::CodeWalk steps{toFixedPosition(m.xx * (x + 0.5) + m.xy * (y + 0.5) + m.dx - 0.5),
                                    toFixedPosition(m.yx * (x + 0.5) + m.yy * (y + 0.5) + m.dy - 0.5), stepX,
                                    stepY};
      kernels::sampleCodes(&out[static_cast<size_t>(x - span.first)], samples, steps,
                           static_cast<size_t>(end - x));
    }
  }

  const std::shared_ptr<const CodeImage> image_;
  const double opacity_;
  const uint16_t towardsNext_;
  const std::shared_ptr<RowEffects> effects_;
  std::array<Part, 2> parts_;  // by PlaneGroup
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
