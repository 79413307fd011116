#include "compositor/deep/planes/overlay_layer.h"

#include <algorithm>
#include <utility>

#include "compositor/deep/planes/plane_coverage.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

// The first sample of a group at a pixel.
int sampleAt(int pixel, PlaneGroup group) { return group == PlaneGroup::kLuma ? pixel : pixel / 2; }

void layOver(const OverlaySamples& from, int row, PlaneGroup group, const SampleRange& columns,
             uint16_t weight, const SampleRow& to) {
  const size_t at = from.at(0, row);
  for (size_t i = 0; i < coloursOf(group); ++i) {
    kernels::overSamples(to[i] + columns.first, from.colours[i].data() + at, from.alpha.data() + at, nullptr,
                         weight, static_cast<size_t>(columns.end - columns.first));
  }
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
    layOver(planes_->of(group), y - sampleAt(top_, group), group, span(group, y), weight_, to);
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

  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    const RectCoverage& coverage = coverage_.of(group);
    const OverlaySamples& own = planes_->of(group);
    const SampleRange columns = span(group, y);
    const size_t at = own.at(columns.first - sampleAt(area_.left, group), y - sampleAt(area_.top, group));
    const uint16_t weight = toWeight(opacity_ * coverage.rows.at(y) / kernels::kFullWeight);
    forParts(coverage.columns, [&](int first, int end, const uint16_t* weights) {
      const int last = std::min(end, columns.end);
      if (first >= last) return;
      const size_t from = at + static_cast<size_t>(first - columns.first);
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

  const std::shared_ptr<const OverlayPlanes> planes_;
  const PixelRect area_;
  const PlaneCoverage coverage_;
  const double opacity_;
};

// Converts rows that are drawn in floats, a pair of the canvas at a time.
class DrawnPairs {
 public:
  DrawnPairs(std::unique_ptr<FloatRowsSource> rows, const PixelRect& area, const CanvasSize& canvas,
             const kernels::YcbcrScale& scale)
      : rows_(std::move(rows)),
        area_(area),
        canvas_(canvas),
        site_(overlaySiteOf(area, canvas)),
        pair_(area.width(), site_, scale) {
    groups_[0].resize(area.width(), 2, 1);
    groups_[1].resize(pair_.chromaWidth(), 1, 2);
  }

  const PixelRect& area() const { return area_; }
  // Two rows of luma and one of chroma, of the pair drawn last.
  const OverlaySamples& of(PlaneGroup group) const { return groups_[static_cast<size_t>(group)]; }

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

 private:
  const std::unique_ptr<FloatRowsSource> rows_;
  const PixelRect area_;
  const CanvasSize canvas_;
  const OverlaySite site_;
  OverlayPair pair_;
  OverlayGroups groups_;
  int drawn_ = -1;
};

class DrawnLayer final : public PlaneLayer {
 public:
  DrawnLayer(std::unique_ptr<FloatRowsSource> rows, const PixelRect& area, const CanvasSize& canvas,
             const kernels::YcbcrScale& scale, double opacity)
      : pairs_(std::move(rows), area, canvas, scale), canvas_(canvas), weight_(toWeight(opacity)) {}

  SampleRange rows(PlaneGroup group) const override {
    return {sampleAt(pairs_.area().top, group), samplesAlong(pairs_.area().bottom, group)};
  }
  SampleRange span(PlaneGroup group, int) const override {
    const int column = sampleAt(pairs_.area().left, group);
    return {column, std::min(column + pairs_.of(group).width, samplesAlong(canvas_.width, group))};
  }

  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    pairs_.draw(group == PlaneGroup::kLuma ? y / 2 : y);
    layOver(pairs_.of(group), group == PlaneGroup::kLuma ? y % 2 : 0, group, span(group, y), weight_, to);
  }

 private:
  DrawnPairs pairs_;
  const CanvasSize canvas_;
  const uint16_t weight_;
};

void copyRow(OverlaySamples& to, int y, const OverlaySamples& from, int fromY) {
  const auto copy = [&](const std::vector<int16_t>& source, std::vector<int16_t>& target) {
    if (!source.empty()) std::copy_n(&source[from.at(0, fromY)], from.width, &target[to.at(0, y)]);
  };
  for (size_t i = 0; i < 2; ++i) copy(from.colours[i], to.colours[i]);
  copy(from.alpha, to.alpha);
}

}  // namespace

std::unique_ptr<PlaneLayer> overlayLayer(std::shared_ptr<const OverlayPlanes> planes, int left, int top,
                                         double opacity, const CanvasSize& canvas) {
  return std::make_unique<OverlayLayer>(std::move(planes), left, top, opacity, canvas);
}

std::unique_ptr<PlaneLayer> windowedLayer(std::shared_ptr<const OverlayPlanes> planes, const PixelRect& area,
                                          const Rect& window, double opacity, const CanvasSize& canvas) {
  return std::make_unique<WindowedLayer>(std::move(planes), area, window, opacity, canvas);
}

std::unique_ptr<PlaneLayer> drawnLayer(std::unique_ptr<FloatRowsSource> rows, const PixelRect& area,
                                       const CanvasSize& canvas, const kernels::YcbcrScale& scale,
                                       double opacity) {
  return std::make_unique<DrawnLayer>(std::move(rows), area, canvas, scale, opacity);
}

std::shared_ptr<const OverlayPlanes> drawnPlanes(std::unique_ptr<FloatRowsSource> rows, const PixelRect& area,
                                                 const CanvasSize& canvas, const kernels::YcbcrScale& scale) {
  DrawnPairs pairs(std::move(rows), area, canvas, scale);
  OverlayGroups groups;
  OverlaySamples &luma = groups[0], &chroma = groups[1];
  luma.resize(area.width(), area.height(), 1);
  chroma.resize(pairs.of(PlaneGroup::kChroma).width, (area.height() + 1) / 2, 2);
  for (int k = 0; k < chroma.height; ++k) {
    pairs.draw(area.top / 2 + k);
    for (int i = 0; i < std::min(2, area.height() - 2 * k); ++i)
      copyRow(luma, 2 * k + i, pairs.of(PlaneGroup::kLuma), i);
    copyRow(chroma, k, pairs.of(PlaneGroup::kChroma), 0);
  }
  return std::make_shared<const OverlayPlanes>(std::move(groups));
}

}  // namespace framewright
