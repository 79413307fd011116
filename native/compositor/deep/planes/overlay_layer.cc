#include "compositor/deep/planes/overlay_layer.h"

#include <algorithm>
#include <utility>

#include "compositor/deep/planes/plane_coverage.h"
#include "kernels/deep/plane_rows.h"
#include "kernels/deep/surface_rows.h"

namespace framewright {
namespace {

// The first sample of a group at a pixel.
int sampleAt(int pixel, PlaneGroup group) { return group == PlaneGroup::kLuma ? pixel : pixel / 2; }

void layOver(const OverlayRow& row, PlaneGroup group, const SampleRange& columns, uint16_t weight,
             const SampleRow& to) {
  for (size_t i = 0; i < coloursOf(group); ++i) {
    kernels::overSamples(to[i] + columns.first, row.colours[i], row.alpha, nullptr, weight,
                         static_cast<size_t>(columns.end - columns.first));
  }
}

// The samples of an area that starts on even pixels. A column beside the last pair is coloured by its
// neighbour.
SampleRange columnsOf(const PixelRect& area, const CanvasSize& canvas, PlaneGroup group) {
  if (group == PlaneGroup::kLuma) return {area.left, area.right};
  return {area.left / 2, std::min(area.right / 2 + 1, samplesAlong(canvas.width, group))};
}
SampleRange rowsOf(const PixelRect& area, PlaneGroup group) {
  return {sampleAt(area.top, group), samplesAlong(area.bottom, group)};
}

class OverlayLayer final : public PlaneLayer {
 public:
  OverlayLayer(std::shared_ptr<const OverlayPlanes> planes, int left, int top, double opacity,
               const CanvasSize& canvas)
      : planes_(std::move(planes)), left_(left), top_(top), weight_(toWeight(opacity)), canvas_(canvas) {}

  SampleRange rows(PlaneGroup group) const override {
    const int first = sampleAt(top_, group);
    return {first, first + planes_->of(group).height};
  }
  SampleRange span(PlaneGroup group, int) const override {
    const OverlaySamples& own = planes_->of(group);
    const int column = sampleAt(left_, group);
    return {column, std::min(column + own.width, samplesAlong(canvas_.width, group))};
  }

  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    const OverlaySamples& own = planes_->of(group);
    layOver(own.row(y - sampleAt(top_, group)), group, span(group, y), weight_, to);
  }

 private:
  const std::shared_ptr<const OverlayPlanes> planes_;
  const int left_, top_;
  const uint16_t weight_;
  const CanvasSize canvas_;
};

// Planes of an area that may be larger than the canvas.
class WindowedLayer final : public PlaneLayer {
 public:
  WindowedLayer(std::shared_ptr<const OverlayPlanes> planes, const PixelRect& area, const Rect& window,
                double opacity, const CanvasSize& canvas)
      : planes_(std::move(planes)),
        area_(area),
        coverage_(intersection(window, area.rect()), canvas),
        opacity_(opacity) {}

  SampleRange rows(PlaneGroup group) const override {
    return within(rangeOf(coverage_.of(group).rows), sampleAt(area_.top, group), planes_->of(group).height);
  }
  SampleRange span(PlaneGroup group, int) const override {
    return within(rangeOf(coverage_.of(group).columns), sampleAt(area_.left, group),
                  planes_->of(group).width);
  }

  // Whole rows of opaque samples.
  bool hides(PlaneGroup group, int y) const override {
    if (!isFullRow(coverage_.of(group), y, opacity_)) return false;
    const SampleRange columns = span(group, y);
    const auto count = static_cast<size_t>(columns.end - columns.first);
    return kernels::opaqueFrom(planes_->of(group).alpha.data() + at(group, columns.first, y), count) == count;
  }
  std::optional<std::array<const int16_t*, 2>> samples(PlaneGroup group, int y) const override {
    std::array<const int16_t*, 2> found{};
    const int first = span(group, y).first;
    for (size_t i = 0; i < coloursOf(group); ++i)
      found[i] = planes_->of(group).colours[i].data() + at(group, first, y) - first;
    return found;
  }

  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    const RectCoverage& coverage = coverage_.of(group);
    const OverlaySamples& own = planes_->of(group);
    const SampleRange columns = span(group, y);
    const size_t start = at(group, columns.first, y);
    const uint16_t weight = toWeight(opacity_ * coverage.rows.at(y) / kernels::kFullWeight);
    forParts(coverage.columns, [&](int first, int end, const uint16_t* weights) {
      const int last = std::min(end, columns.end);
      if (first >= last) return;
      const size_t from = start + static_cast<size_t>(first - columns.first);
      for (size_t i = 0; i < coloursOf(group); ++i) {
        kernels::overSamples(to[i] + first, own.colours[i].data() + from, own.alpha.data() + from, weights,
                             weight, static_cast<size_t>(last - first));
      }
    });
  }

 private:
  static SampleRange within(const SampleRange& range, int first, int count) {
    return {std::max(range.first, first), std::min(range.end, first + count)};
  }
  // The index of a sample of the canvas.
  size_t at(PlaneGroup group, int x, int y) const {
    return planes_->of(group).at(x - sampleAt(area_.left, group), y - sampleAt(area_.top, group));
  }

  const std::shared_ptr<const OverlayPlanes> planes_;
  const PixelRect area_;
  const PlaneCoverage coverage_;
  const double opacity_;
};

// Converts rows that are drawn in floats, a pair of the canvas at a time.
class DrawnRows final : public LayerRows {
 public:
  DrawnRows(std::unique_ptr<FloatRowsSource> rows, const PixelRect& area, const CanvasSize& canvas,
            const kernels::YcbcrScale& scale)
      : rows_(std::move(rows)),
        area_(area),
        canvas_(canvas),
        site_(overlaySiteOf(area, canvas)),
        pair_(area.width(), site_, scale) {
    groups_[0].resize(area.width(), 2, 1);
    groups_[1].resize(pair_.chromaWidth(), 1, 2);
  }

  SampleRange rows(PlaneGroup group) const override { return rowsOf(area_, group); }
  SampleRange span(PlaneGroup group, int) const override { return columnsOf(area_, canvas_, group); }
  std::optional<OverlayRow> row(PlaneGroup group, int y) override {
    const bool isLuma = group == PlaneGroup::kLuma;
    draw(isLuma ? y / 2 : y);
    return groups_[static_cast<size_t>(group)].row(isLuma ? y % 2 : 0);
  }

 private:
  void draw(int k) {
    if (k == drawn_) return;
    drawn_ = k;
    pair_.clear();
    const int last = site_.repeatsBottom ? area_.bottom - 1 : canvas_.height;
    for (int i = 0; i < 2; ++i) {
      const int y = std::min(2 * k + i, last);
      if (y < area_.bottom) rows_->draw(y, kernels::fromColumn(pair_.row(i), -area_.left));
      pair_.writeLuma(i, groups_[0], i);
    }
    pair_.writeChroma(groups_[1], 0);
  }

  const std::unique_ptr<FloatRowsSource> rows_;
  const PixelRect area_;
  const CanvasSize canvas_;
  const OverlaySite site_;
  OverlayPair pair_;
  OverlayGroups groups_;  // two rows of luma and one of chroma
  int drawn_ = -1;
};

class RowsLayer final : public PlaneLayer {
 public:
  RowsLayer(std::unique_ptr<LayerRows> rows, double opacity)
      : rows_(std::move(rows)), weight_(toWeight(opacity)) {}

  SampleRange rows(PlaneGroup group) const override { return rows_->rows(group); }
  SampleRange span(PlaneGroup group, int y) const override { return rows_->span(group, y); }
  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    const auto row = rows_->row(group, y);
    if (row) layOver(*row, group, span(group, y), weight_, to);
  }

 private:
  const std::unique_ptr<LayerRows> rows_;
  const uint16_t weight_;
};

}  // namespace

std::unique_ptr<PlaneLayer> overlayLayer(std::shared_ptr<const OverlayPlanes> planes, int left, int top,
                                         double opacity, const CanvasSize& canvas) {
  return std::make_unique<OverlayLayer>(std::move(planes), left, top, opacity, canvas);
}

std::unique_ptr<PlaneLayer> windowedLayer(std::shared_ptr<const OverlayPlanes> planes, const PixelRect& area,
                                          const Rect& window, double opacity, const CanvasSize& canvas) {
  return std::make_unique<WindowedLayer>(std::move(planes), area, window, opacity, canvas);
}

std::unique_ptr<PlaneLayer> rowsLayer(std::unique_ptr<LayerRows> rows, double opacity) {
  return std::make_unique<RowsLayer>(std::move(rows), opacity);
}

std::shared_ptr<const OverlayPlanes> planesOfRows(LayerRows& rows, const PixelRect& area,
                                                  const CanvasSize& canvas) {
  OverlayGroups groups;
  const auto copyRow = [&](PlaneGroup group, int y) {
    const SampleRange drawn = rows.rows(group);
    if (y < drawn.first || y >= drawn.end) return;
    const SampleRange span = rows.span(group, y);
    if (span.end <= span.first) return;
    const auto row = rows.row(group, y);
    if (!row) return;
    OverlaySamples& to = groups[static_cast<size_t>(group)];
    const size_t at = to.at(span.first - columnsOf(area, canvas, group).first, y - rowsOf(area, group).first);
    const int count = span.end - span.first;
    for (size_t i = 0; i < coloursOf(group); ++i) std::copy_n(row->colours[i], count, &to.colours[i][at]);
    std::copy_n(row->alpha, count, &to.alpha[at]);
  };
  for (const PlaneGroup group : kPlaneGroups) {
    const SampleRange columns = columnsOf(area, canvas, group), lines = rowsOf(area, group);
    groups[static_cast<size_t>(group)].resize(columns.end - columns.first, lines.end - lines.first,
                                              coloursOf(group));
  }
  for (int y = area.top; y < area.bottom; y += 2) {
    copyRow(PlaneGroup::kLuma, y);
    if (y + 1 < area.bottom) copyRow(PlaneGroup::kLuma, y + 1);
    copyRow(PlaneGroup::kChroma, y / 2);
  }
  return std::make_shared<const OverlayPlanes>(std::move(groups));
}

std::unique_ptr<LayerRows> overlayRows(std::unique_ptr<FloatRowsSource> rows, const PixelRect& area,
                                       const CanvasSize& canvas, const kernels::YcbcrScale& scale) {
  return std::make_unique<DrawnRows>(std::move(rows), area, canvas, scale);
}

}  // namespace framewright
