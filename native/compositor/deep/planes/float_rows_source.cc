#include "compositor/deep/planes/float_rows_source.h"

#include <utility>
#include <vector>

#include "compositor/deep/draw_image.h"
#include "compositor/plan/coverage.h"
#include "kernels/deep/blend_rows.h"

namespace framewright {
namespace {

struct ImageReader final : SurfaceReader {
  explicit ImageReader(const FloatImage& source) : image(source) {}
  kernels::ConstFloatRow row(int y) override { return image.at(0, y); }

  const FloatImage& image;
};

struct AreaReader final : SurfaceReader {
  AreaReader(std::unique_ptr<PlaneBackdrop> source, const PixelRect& part)
      : rows(std::move(source)), area(part) {}
  kernels::ConstFloatRow row(int y) override {
    return kernels::fromColumn(rows->row(area.top + y), area.left);
  }

  const std::unique_ptr<PlaneBackdrop> rows;
  const PixelRect area;
};

class SurfaceRows : public FloatRowsSource {
 public:
  SurfaceRows(PlacedSurface surface, const CanvasSize& canvas) : surface_(std::move(surface)) {
    coverage_.cover(intersection(surface_.window, surface_.area.rect()), canvas, PlaneGroup::kLuma);
    if (!coverage_.empty()) writeWeights(weights_, coverage_.columns.weights);
  }

  void draw(int y, const kernels::FloatRow& to) override {
    if (coverage_.empty() || y < coverage_.rows.first || y >= coverage_.rows.end) return;
    const float weight =
        static_cast<float>(surface_.opacity) * static_cast<float>(coverage_.rows.at(y)) * kCoverageUnit;
    const int first = coverage_.columns.first;
    const kernels::ConstFloatRow from =
        kernels::fromColumn(surface_.reader->row(y - surface_.area.top), first - surface_.area.left);
    blend(y, first, kernels::fromColumn(to, first), from, weight);
  }

 protected:
  virtual void blend(int, int, const kernels::FloatRow& to, const kernels::ConstFloatRow& from,
                     float weight) {
    kernels::overFloats(to, from, coverage_.columns.isFull() ? nullptr : weights_.data(), weight,
                        weights_.size());
  }

  PlacedSurface surface_;
  RectCoverage coverage_;
  std::vector<float> weights_;
};

class BlendedRows final : public SurfaceRows {
 public:
  BlendedRows(PlacedSurface surface, const CanvasSize& canvas, BlendMode mode,
              std::unique_ptr<PlaneBackdrop> backdrop)
      : SurfaceRows(std::move(surface), canvas), mode_(mode), backdrop_(std::move(backdrop)) {}

 protected:
  void blend(int y, int first, const kernels::FloatRow& to, const kernels::ConstFloatRow& from,
             float weight) override {
    kernels::blendFloats(to, kernels::fromColumn(backdrop_->row(y), first), from, weights_.data(), weight,
                         weights_.size(), mode_);
  }

 private:
  const BlendMode mode_;
  const std::unique_ptr<PlaneBackdrop> backdrop_;
};

}  // namespace

std::unique_ptr<SurfaceReader> imageReader(const FloatImage& image) {
  return std::make_unique<ImageReader>(image);
}

std::unique_ptr<SurfaceReader> areaReader(std::unique_ptr<PlaneBackdrop> rows, const PixelRect& area) {
  return std::make_unique<AreaReader>(std::move(rows), area);
}

std::unique_ptr<FloatRowsSource> surfaceRows(PlacedSurface surface, const CanvasSize& canvas) {
  return std::make_unique<SurfaceRows>(std::move(surface), canvas);
}

std::unique_ptr<FloatRowsSource> blendedRows(PlacedSurface surface, const CanvasSize& canvas, BlendMode mode,
                                             std::unique_ptr<PlaneBackdrop> backdrop) {
  return std::make_unique<BlendedRows>(std::move(surface), canvas, mode, std::move(backdrop));
}

}  // namespace framewright
