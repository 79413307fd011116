#include "compositor/deep/planes/images/code_layer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compositor/deep/planes/effects/row_effects.h"
#include "compositor/deep/planes/images/rotated_code_layer.h"
#include "compositor/deep/planes/images/sample_resampler.h"
#include "compositor/deep/planes/plane_coverage.h"
#include "compositor/plan/image_sampling.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

// One mip level of a plane group.
class Sampler {
 public:
  Sampler(CodeLevel level, const SampleBounds& bounds, const Affine& map, PlaneGroup group,
          const RectCoverage& coverage)
      : level_(std::move(level)), group_(group), columns_(coverage.columns), rows_(coverage.rows) {
    const auto x = copyOffset(map.xx, map.dx, columns_.first, columns_.count(), bounds.left, bounds.right);
    const auto y = copyOffset(map.yy, map.dy, rows_.first, rows_.count(), bounds.top, bounds.bottom);
    if (x && y) {
      shift_ = {*x, *y};
      return;
    }
    AxisFilter across;
    buildAxisFilter(across, {map.xx, map.dx}, columns_.first, columns_.count(), bounds.left, bounds.right,
                    FilterKernel::kCatmullRom);
    buildAxisFilter(rowFilter_, {map.yy, map.dy}, rows_.first, rows_.count(), bounds.top, bounds.bottom,
                    FilterKernel::kCatmullRom);
    tables_ = std::make_unique<SampleColumnTables>(std::move(across));
    for (size_t i = 0; i < coloursOf(group); ++i)
      resamplers_.emplace_back([this, plane = planeOf(group, i)](int y) { return level_.row(plane, y); },
                               bounds, level_.fractionBits, *tables_, rowFilter_);
  }

  // The codes that are copied to row y, from column 0; null unless they are copied.
  const int16_t* codes(size_t colour, int y) const {
    if (!shift_ || level_.fractionBits != 0) return nullptr;
    return level_.row(planeOf(group_, colour), y + (*shift_)[1]) + (*shift_)[0];
  }
  // Writes the samples of the covered columns.
  void write(size_t colour, int y, int16_t* to) {
    if (!shift_) return resamplers_[colour].write(y - rows_.first, to);
    const int16_t* const from =
        level_.row(planeOf(group_, colour), y + (*shift_)[1]) + (*shift_)[0] + columns_.first;
    const auto count = static_cast<size_t>(columns_.count());
    if (level_.fractionBits == 0) {
      kernels::samplesOfCodes(to, from, count);
    } else {
      std::copy_n(from, count, to);
    }
  }

 private:
  const CodeLevel level_;
  const PlaneGroup group_;
  const AxisCoverage& columns_;
  const AxisCoverage& rows_;
  std::optional<std::array<int, 2>> shift_;  // set where samples are copied
  AxisFilter rowFilter_;
  std::unique_ptr<SampleColumnTables> tables_;
  std::vector<SampleResampler> resamplers_;
};

class AlignedCodeLayer final : public PlaneLayer {
 public:
  AlignedCodeLayer(std::shared_ptr<const CodeImage> image, const Rect& drawn, double opacity,
                   const CanvasSize& canvas, std::shared_ptr<RowEffects> effects)
      : image_(std::move(image)), coverage_(drawn, canvas), opacity_(opacity), effects_(std::move(effects)) {}

  bool empty() const { return coverage_.empty(); }

  Status begin(const CodePlacement& placement, const ImageSampling& sampling) {
    towardsNext_ = sampling.levels.towardsNext;
    for (const PlaneGroup group : kPlaneGroups) {
      for (int i = 0; i < sampling.levels.count(); ++i) {
        int found = 0;
        FW_ASSIGN_OR_RETURN(CodeLevel level, image_->levelForRows(sampling.levels.level + i, found));
        const SampleBounds bounds =
            boundsOf(placement.crop, group, found, image_->sizeOf(level, planeOf(group, 0)));
        const Affine map = filterMapping(group, sampling.imageFromCanvas, image_->chromaOffset(), found);
        samplers_[static_cast<size_t>(group)].push_back(
            std::make_unique<Sampler>(std::move(level), bounds, map, group, coverage_.of(group)));
      }
      const auto count = static_cast<size_t>(coverage_.of(group).columns.count() + kernels::kSampleBlock);
      for (auto& row : rows_) row.resize(std::max(row.size(), count));
    }
    return {};
  }

  SampleRange rows(PlaneGroup group) const override { return rangeOf(coverage_.of(group).rows); }
  SampleRange span(PlaneGroup group, int) const override { return rangeOf(coverage_.of(group).columns); }
  bool hides(PlaneGroup group, int y) const override {
    return isFullRow(coverage_.of(group), y, opacity_) &&
           (effects_ == nullptr || effects_->weights(group, y) == nullptr);
  }
  std::optional<std::array<const int16_t*, 2>> codes(PlaneGroup group, int y) const override {
    if (towardsNext_ > 0 || (effects_ != nullptr && !effects_->keepsSamples(group))) return std::nullopt;
    std::array<const int16_t*, 2> found{};
    for (size_t i = 0; i < coloursOf(group); ++i) {
      found[i] = samplersOf(group)[0]->codes(i, y);
      if (found[i] == nullptr) return std::nullopt;
    }
    return found;
  }

  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    const RectCoverage& coverage = coverage_.of(group);
    const AxisCoverage& columns = coverage.columns;
    const auto count = static_cast<size_t>(columns.count());
    const auto& samplers = samplersOf(group);
    const bool replaces = hides(group, y);
    const uint16_t* const shape = effects_ != nullptr ? effects_->weights(group, y) : nullptr;
    const uint16_t weight = toWeight(opacity_ * coverage.rows.at(y) / kernels::kFullWeight);
    for (size_t i = 0; i < coloursOf(group); ++i) {
      int16_t* const direct = to[i] + columns.first;
      // Filters write whole blocks, beyond the covered columns.
      int16_t* const row = replaces ? direct : rows_[0].data();
      samplers[0]->write(i, y, row);
      if (towardsNext_ > 0) {
        samplers[1]->write(i, y, rows_[1].data());
        kernels::overSamples(row, rows_[1].data(), nullptr, nullptr, towardsNext_, count);
      }
      if (effects_ != nullptr) effects_->apply(group, i, y, columns.first, row, count);
      if (!replaces) layOver(columns, row, shape, weight, to[i]);
    }
  }

  void writeCoverage(PlaneGroup group, int y, uint16_t* weights) override {
    const RectCoverage& coverage = coverage_.of(group);
    writeShare(coverage, toWeight(opacity_ * coverage.rows.at(y) / kernels::kFullWeight),
               effects_ != nullptr ? effects_->weights(group, y) : nullptr, weights);
  }

 private:
  using Samplers = std::vector<std::unique_ptr<Sampler>>;
  const Samplers& samplersOf(PlaneGroup group) const { return samplers_[static_cast<size_t>(group)]; }

  // `row` has the covered columns, `shape` and `to` start in column 0.
  void layOver(const AxisCoverage& columns, const int16_t* row, const uint16_t* shape, uint16_t weight,
               int16_t* to) {
    forParts(columns, [&](int first, int end, const uint16_t* weights) {
      const int16_t* const from = row + (first - columns.first);
      const auto count = static_cast<size_t>(end - first);
      if (shape != nullptr && weights != nullptr) {
        both_.assign(weights, weights + count);
        kernels::multiplyWeights(both_.data(), shape + first, count);
        weights = both_.data();
      } else if (shape != nullptr) {
        weights = shape + first;
      }
      if (weights == nullptr && weight == kernels::kFullWeight) {
        std::copy_n(from, count, to + first);
      } else {
        kernels::overSamples(to + first, from, nullptr, weights, weight, count);
      }
    });
  }

  const std::shared_ptr<const CodeImage> image_;
  const PlaneCoverage coverage_;
  const double opacity_;
  uint16_t towardsNext_ = 0;
  const std::shared_ptr<RowEffects> effects_;
  std::vector<uint16_t> both_;
  std::array<Samplers, 2> samplers_;  // by group, then level
  std::array<AlignedVector<int16_t>, 2> rows_;
};

}  // namespace

Result<std::unique_ptr<PlaneLayer>> codeLayer(std::shared_ptr<const CodeImage> image,
                                              const CodePlacement& placement, const CanvasSize& canvas,
                                              std::shared_ptr<RowEffects> effects) {
  const auto sampling = planSampling(placement.crop, placement.toSurface, image->width(), image->height());
  if (!sampling) return std::unique_ptr<PlaneLayer>();
  if (!sampling->isAxisAligned)
    return rotatedCodeLayer(std::move(image), placement, *sampling, canvas, std::move(effects));
  const Rect drawn = placement.extendsEdges
                         ? placement.window
                         : intersection(axisAlignedRect(placement.toSurface), placement.window);
  auto layer = std::make_unique<AlignedCodeLayer>(std::move(image), drawn, placement.opacity, canvas,
                                                  std::move(effects));
  if (layer->empty()) return std::unique_ptr<PlaneLayer>();
  FW_RETURN_IF_ERROR(layer->begin(placement, *sampling));
  return std::unique_ptr<PlaneLayer>(std::move(layer));
}

}  // namespace framewright
