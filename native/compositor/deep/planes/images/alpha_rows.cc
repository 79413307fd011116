#include "compositor/deep/planes/images/alpha_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compositor/deep/planes/images/rotated_samples.h"
#include "compositor/deep/planes/images/sample_resampler.h"
#include "compositor/deep/planes/overlay_planes.h"
#include "compositor/deep/planes/plane_coverage.h"
#include "compositor/plan/image_sampling.h"
#include "kernels/deep/alpha_samples.h"
#include "kernels/deep/plane_rows.h"
#include "kernels/deep/surface_rows.h"

namespace framewright {
namespace {

// Chroma of a frame has half the pixels along each axis, and is sampled like a smaller frame. It is shrunk a
// little more, so that an image at its own size needs one level, the second.
LevelChoice chooseLevels(PlaneGroup group, const CodePlacement& placement, const ImageSampling& sampling,
                         const AlphaImage& image) {
  if (group == PlaneGroup::kLuma) return sampling.levels;
  const double share = sampling.isAxisAligned ? 0.37 : 0.5 / 1.2;
  const auto chroma = planSampling(placement.crop, scaling(share, share) * placement.toSurface, image.width(),
                                   image.height());
  return chroma ? chroma->levels : sampling.levels;
}

// Luma and its alpha are those of the pixels, and the alpha of chroma is filtered from that of luma. Colours
// of chroma are sampled with an alpha of their own, and multiplied by that of luma.
class AlphaRows : public LayerRows {
 public:
  AlphaRows(std::shared_ptr<const AlphaImage> image, const PixelRect& area, const CanvasSize& canvas)
      : image_(std::move(image)), site_(overlaySiteOf(area, canvas)), area_(area) {
    const int chromaEnd = std::min(area.right / 2 + 1, samplesAlong(canvas.width, PlaneGroup::kChroma));
    chromaColumns_ = {area.left / 2, chromaEnd};
    const auto width = static_cast<size_t>(2 * (chromaEnd - area.left / 2));
    for (AlphaRow& row : alphaRows_) row.samples.resize(width + 2 * kMargin);
  }

  SampleRange rows(PlaneGroup group) const final {
    const SampleRange luma = lumaRows();
    return group == PlaneGroup::kLuma ? luma : SampleRange{luma.first / 2, (luma.end + 1) / 2};
  }
  SampleRange span(PlaneGroup group, int y) const final {
    if (group == PlaneGroup::kLuma) return lumaSpan(y);
    const SampleRange top = lumaSpan(2 * y), bottom = lumaSpan(2 * y + 1);
    if (top.first >= top.end && bottom.first >= bottom.end) return {0, 0};
    SampleRange both = top;
    if (top.first >= top.end) both = bottom;
    if (bottom.first < bottom.end)
      both = {std::min(both.first, bottom.first), std::max(both.end, bottom.end)};
    return {std::max(both.first / 2, chromaColumns_.first), std::min(both.end / 2 + 1, chromaColumns_.end)};
  }

  std::optional<OverlayRow> row(PlaneGroup group, int y) final {
    return group == PlaneGroup::kLuma ? lumaRow(y) : chromaRow(y);
  }

 protected:
  virtual SampleRange lumaRows() const = 0;
  // The pixels of a row; nothing outside of the rows.
  virtual SampleRange lumaSpan(int y) const = 0;
  // Samples of one level in the span of a row.
  virtual void sample(PlaneGroup group, size_t level, int plane, int y, int16_t* to) = 0;
  // The coverage of the pixels in the span of a row; null: 1.
  virtual const uint16_t* weights(int y) = 0;

  // Calls add(level, bounds, map) for the levels of a group. `map`: samples of the canvas to those of the
  // level.
  template <class Add>
  void findLevels(PlaneGroup group, const CodePlacement& placement, const ImageSampling& sampling,
                  const Add& add) {
    const LevelChoice levels = chooseLevels(group, placement, sampling, *image_);
    towardsNext_[static_cast<size_t>(group)] = levels.towardsNext;
    for (int i = 0; i < levels.count(); ++i) {
      int found = 0;
      const AlphaLevel& level = image_->level(levels.level + i, found);
      const SampleBounds bounds = boundsOf(placement.crop, PlaneGroup::kLuma, found, level.planes[0]);
      const double shrink = 1.0 / (1 << found);
      add(level, bounds, scaling(shrink, shrink) * sampling.imageFromCanvas * canvasFromPlane(group));
    }
  }
  const SampleRange& chromaColumns() const { return chromaColumns_; }

 private:
  static constexpr size_t kMargin = 2;  // pixels beside a row that the filter of chroma reads

  struct AlphaRow {
    int y = -1;
    bool isVisible = false;
    std::array<std::vector<int16_t>, 2> levels;  // of the span, before its coverage
    std::vector<int16_t> samples;                // of the area
  };

  size_t levelCount(PlaneGroup group) const { return towardsNext_[static_cast<size_t>(group)] > 0 ? 2 : 1; }
  int16_t* sampled(std::vector<int16_t>& to, PlaneGroup group, size_t level, int plane, int y, size_t count) {
    // Filters write whole blocks.
    to.resize(count + kernels::kSampleBlock);
    sample(group, level, plane, y, to.data());
    return to.data();
  }
  void mixLevels(PlaneGroup group, int16_t* fine, const int16_t* coarse, size_t count) const {
    const uint16_t towardsNext = towardsNext_[static_cast<size_t>(group)];
    if (towardsNext > 0) kernels::overSamples(fine, coarse, nullptr, nullptr, towardsNext, count);
  }
  int16_t* samplesFrom(AlphaRow& row, int x) const { return row.samples.data() + kMargin + (x - area_.left); }

  AlphaRow& alphaRow(int y) {
    AlphaRow& row = alphaRows_[static_cast<size_t>(y % 2)];
    if (row.y == y) return row;
    row.y = y;
    row.isVisible = false;
    std::fill(row.samples.begin(), row.samples.end(), int16_t{0});
    const SampleRange columns = lumaSpan(y);
    if (columns.first >= columns.end) return row;
    const auto count = static_cast<size_t>(columns.end - columns.first);
    for (size_t level = 0; level < levelCount(PlaneGroup::kLuma); ++level)
      row.isVisible |= kernels::fullAlpha(
          sampled(row.levels[level], PlaneGroup::kLuma, level, AlphaLevel::kAlpha, y, count), count);
    if (!row.isVisible) return row;
    int16_t* const samples = samplesFrom(row, columns.first);
    std::copy_n(row.levels[0].data(), count, samples);
    mixLevels(PlaneGroup::kLuma, samples, row.levels[1].data(), count);
    if (const uint16_t* const covered = weights(y)) kernels::weighSamples(samples, covered, count);
    return row;
  }

  std::optional<OverlayRow> lumaRow(int y) {
    AlphaRow& alpha = alphaRow(y);
    if (!alpha.isVisible) return std::nullopt;
    const SampleRange columns = lumaSpan(y);
    const auto count = static_cast<size_t>(columns.end - columns.first);
    for (size_t level = 0; level < levelCount(PlaneGroup::kLuma); ++level) {
      int16_t* const luma = sampled(buffers_[0][level], PlaneGroup::kLuma, level, 0, y, count);
      kernels::limitLuma(luma, alpha.levels[level].data(), count);
    }
    int16_t* const luma = buffers_[0][0].data();
    mixLevels(PlaneGroup::kLuma, luma, buffers_[0][1].data(), count);
    if (const uint16_t* const covered = weights(y)) kernels::weighSamples(luma, covered, count);
    const int16_t* const samples = samplesFrom(alpha, columns.first);
    kernels::addBlack(luma, samples, count);
    return OverlayRow{{luma, nullptr}, samples};
  }

  std::optional<OverlayRow> chromaRow(int y) {
    AlphaRow &top = alphaRow(2 * y), &below = alphaRow(2 * y + 1);
    const bool repeatsTop = site_.repeatsBottom && 2 * y + 1 == area_.bottom;
    AlphaRow& bottom = repeatsTop ? top : below;
    if (!top.isVisible && !bottom.isVisible) return std::nullopt;
    for (AlphaRow* const row : {&top, &bottom}) {
      int16_t* const first = samplesFrom(*row, area_.left);
      if (site_.repeatsLeft) first[-1] = first[0];
      if (site_.repeatsRight) first[area_.width()] = first[area_.width() - 1];
    }
    const SampleRange columns = span(PlaneGroup::kChroma, y);
    const auto count = static_cast<size_t>(columns.end - columns.first);
    chromaAlpha_.resize(count);
    kernels::halveAlpha(chromaAlpha_.data(), samplesFrom(top, 2 * columns.first),
                        samplesFrom(bottom, 2 * columns.first), count);
    for (size_t level = 0; level < levelCount(PlaneGroup::kChroma); ++level) {
      int16_t* const own =
          sampled(buffers_[2][level], PlaneGroup::kChroma, level, AlphaLevel::kAlpha, y, count);
      kernels::fullAlpha(own, count);
      for (int i = 0; i < 2; ++i) {
        kernels::limitChroma(
            sampled(buffers_[static_cast<size_t>(i)][level], PlaneGroup::kChroma, level, 1 + i, y, count),
            own, count);
      }
    }
    for (auto& levels : buffers_) mixLevels(PlaneGroup::kChroma, levels[0].data(), levels[1].data(), count);
    kernels::chromaOfAlpha(buffers_[0][0].data(), buffers_[1][0].data(), buffers_[2][0].data(),
                           chromaAlpha_.data(), count);
    return OverlayRow{{buffers_[0][0].data(), buffers_[1][0].data()}, chromaAlpha_.data()};
  }

  const std::shared_ptr<const AlphaImage> image_;
  const OverlaySite site_;
  const PixelRect area_;
  SampleRange chromaColumns_{0, 0};                             // of the area
  std::array<uint16_t, 2> towardsNext_{};                       // by PlaneGroup
  std::array<AlphaRow, 2> alphaRows_;                           // by parity
  std::array<std::array<std::vector<int16_t>, 2>, 3> buffers_;  // colours and alpha of chroma, by level
  std::vector<int16_t> chromaAlpha_;
};

bool contains(const SampleRange& range, int sample) { return sample >= range.first && sample < range.end; }

class AlignedAlphaRows final : public AlphaRows {
 public:
  AlignedAlphaRows(std::shared_ptr<const AlphaImage> image, const CodePlacement& placement,
                   const ImageSampling& sampling, const PixelRect& area, const CanvasSize& canvas)
      : AlphaRows(std::move(image), area, canvas) {
    coverage_.cover(intersection(axisAlignedRect(placement.toSurface), placement.window), canvas,
                    PlaneGroup::kLuma);
    if (coverage_.empty()) return;
    for (const PlaneGroup group : kPlaneGroups) {
      const SampleRange columns = span(group, rows(group).first);
      findLevels(group, placement, sampling,
                 [&](const AlphaLevel& from, const SampleBounds& bounds, const Affine& map) {
                   levels_[static_cast<size_t>(group)].push_back(
                       std::make_unique<Level>(from, bounds, limitedToFilters(map), columns, rows(group)));
                 });
    }
  }

 protected:
  SampleRange lumaRows() const override { return rangeOf(coverage_.rows); }
  SampleRange lumaSpan(int y) const override {
    return contains(rangeOf(coverage_.rows), y) ? rangeOf(coverage_.columns) : SampleRange{0, 0};
  }
  void sample(PlaneGroup group, size_t level, int plane, int y, int16_t* to) override {
    levels_[static_cast<size_t>(group)][level]->write(plane, y, to);
  }
  const uint16_t* weights(int y) override {
    if (isFullRow(coverage_, y, 1)) return nullptr;
    weights_.resize(static_cast<size_t>(coverage_.columns.end));
    writeShare(coverage_, coverage_.rows.at(y), nullptr, weights_.data());
    return weights_.data() + coverage_.columns.first;
  }

 private:
  struct Level {
    std::array<kernels::CodePlane, 4> planes;
    const SampleRange columns, rows;
    std::optional<std::array<int, 2>> shift;  // set where samples are copied
    AxisFilter rowFilter;
    std::unique_ptr<SampleColumnTables> tables;
    std::vector<SampleResampler> resamplers;  // by plane

    Level(const AlphaLevel& from, const SampleBounds& bounds, const Affine& map,
          const SampleRange& drawnColumns, const SampleRange& drawnRows)
        : columns(drawnColumns), rows(drawnRows) {
      for (size_t p = 0; p < planes.size(); ++p)
        planes[p] = codePlaneOf(from.planes[p], bounds, kernels::kCodeFraction);
      const int width = columns.end - columns.first, height = rows.end - rows.first;
      const auto x = copyOffset(map.xx, map.dx, columns.first, width, bounds.left, bounds.right);
      const auto y = copyOffset(map.yy, map.dy, rows.first, height, bounds.top, bounds.bottom);
      if (x && y) {
        shift = {*x, *y};
        return;
      }
      AxisFilter across;
      buildAxisFilter(across, {map.xx, map.dx}, columns.first, width, bounds.left, bounds.right,
                      FilterKernel::kCatmullRom);
      buildAxisFilter(rowFilter, {map.yy, map.dy}, rows.first, height, bounds.top, bounds.bottom,
                      FilterKernel::kCatmullRom);
      tables = std::make_unique<SampleColumnTables>(std::move(across));
      for (const kernels::CodePlane& plane : planes)
        resamplers.emplace_back(
            [plane](int y) { return plane.data + static_cast<ptrdiff_t>(y) * plane.stride; }, bounds,
            kernels::kCodeFraction, *tables, rowFilter);
    }

    void write(int plane, int y, int16_t* to) {
      const auto p = static_cast<size_t>(plane);
      if (!shift) return resamplers[p].write(y - rows.first, to);
      const int16_t* const from = planes[p].data + static_cast<ptrdiff_t>(y + (*shift)[1]) * planes[p].stride;
      std::copy_n(from + columns.first + (*shift)[0], columns.end - columns.first, to);
    }
  };

  RectCoverage coverage_;
  std::array<std::vector<std::unique_ptr<Level>>, 2> levels_;  // by PlaneGroup
  std::vector<uint16_t> weights_;
};

class RotatedAlphaRows final : public AlphaRows {
 public:
  RotatedAlphaRows(std::shared_ptr<const AlphaImage> image, const CodePlacement& placement,
                   const ImageSampling& sampling, const PixelRect& area, const CanvasSize& canvas)
      : AlphaRows(std::move(image), area, canvas),
        coverage_(placement.toSurface, placement.window, canvas, PlaneGroup::kLuma) {
    for (const PlaneGroup group : kPlaneGroups) {
      findLevels(group, placement, sampling,
                 [&](const AlphaLevel& from, const SampleBounds& bounds, const Affine& map) {
                   Level level{{}, map};
                   for (size_t p = 0; p < level.planes.size(); ++p)
                     level.planes[p] = codePlaneOf(from.planes[p], bounds, kernels::kCodeFraction);
                   levels_[static_cast<size_t>(group)].push_back(level);
                 });
    }
  }

 protected:
  SampleRange lumaRows() const override { return coverage_.rows(); }
  SampleRange lumaSpan(int y) const override {
    if (!contains(coverage_.rows(), y)) return {0, 0};
    const QuadCoverage::Span span = coverage_.span(y);
    return {span.first, span.end};
  }
  void sample(PlaneGroup group, size_t level, int plane, int y, int16_t* to) override {
    const Level& from = levels_[static_cast<size_t>(group)][level];
    sampleRotated(to, from.planes[static_cast<size_t>(plane)], from.map, span(group, y), y);
  }
  const uint16_t* weights(int y) override {
    if (weightsY_ == y) return weights_.data();
    weightsY_ = y;
    coverage_.weigh(weights_, coverage_.span(y), y, 1);
    return weights_.data();
  }

 private:
  struct Level {
    std::array<kernels::CodePlane, 4> planes;
    Affine map;
  };

  const RotatedCoverage coverage_;
  std::array<std::vector<Level>, 2> levels_;  // by PlaneGroup
  std::vector<uint16_t> weights_;
  int weightsY_ = -1;
};

}  // namespace

std::unique_ptr<LayerRows> alphaRows(std::shared_ptr<const AlphaImage> image, const CodePlacement& placement,
                                     const PixelRect& area, const CanvasSize& canvas) {
  const auto sampling = planSampling(placement.crop, placement.toSurface, image->width(), image->height());
  if (!sampling) return nullptr;
  if (!sampling->isAxisAligned)
    return std::make_unique<RotatedAlphaRows>(std::move(image), placement, *sampling, area, canvas);
  return std::make_unique<AlignedAlphaRows>(std::move(image), placement, *sampling, area, canvas);
}

}  // namespace framewright
