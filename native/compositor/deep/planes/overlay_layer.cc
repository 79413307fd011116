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

class DrawnLayer final : public PlaneLayer {
 public:
  DrawnLayer(std::unique_ptr<FloatRowsSource> rows, const PixelRect& area, const CanvasSize& canvas,
             const kernels::YcbcrScale& scale)
      : rows_(std::move(rows)),
        area_(area),
        canvas_(canvas),
        site_(overlaySiteOf(area, canvas)),
        pair_(area.width(), site_, scale) {
    groups_[0].resize(area.width(), 2, 1);
    groups_[1].resize(pair_.chromaWidth(), 1, 2);
  }

  SampleRange rows(PlaneGroup group) const override {
    return {sampleAt(area_.top, group), samplesAlong(area_.bottom, group)};
  }
  SampleRange span(PlaneGroup group, int) const override {
    const int column = sampleAt(area_.left, group);
    return {column,
            std::min(column + groups_[static_cast<size_t>(group)].width, samplesAlong(canvas_.width, group))};
  }

  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    drawPair(group == PlaneGroup::kLuma ? y / 2 : y);
    layOver(groups_[static_cast<size_t>(group)], group == PlaneGroup::kLuma ? y % 2 : 0, group,
            span(group, y), kernels::kFullWeight, to);
  }

 private:
  void drawPair(int k) {
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
  std::array<OverlaySamples, 2> groups_;  // of the pair
  int drawn_ = -1;
};

}  // namespace

std::unique_ptr<PlaneLayer> overlayLayer(std::shared_ptr<const OverlayPlanes> planes, int left, int top,
                                         double opacity, const CanvasSize& canvas) {
  return std::make_unique<OverlayLayer>(std::move(planes), left, top, opacity, canvas);
}

std::unique_ptr<PlaneLayer> drawnLayer(std::unique_ptr<FloatRowsSource> rows, const PixelRect& area,
                                       const CanvasSize& canvas, const kernels::YcbcrScale& scale) {
  return std::make_unique<DrawnLayer>(std::move(rows), area, canvas, scale);
}

}  // namespace framewright
