#include "compositor/deep/planes/float_rows_source.h"

#include <vector>

#include "compositor/deep/pixel_effects.h"
#include "compositor/plan/coverage.h"

namespace framewright {
namespace {

class SurfaceRows : public FloatRowsSource {
 public:
  SurfaceRows(const PlacedSurface& surface, const CanvasSize& canvas) : surface_(surface) {
    const Rect covered{static_cast<double>(surface.left), static_cast<double>(surface.top),
                       static_cast<double>(surface.image->width()),
                       static_cast<double>(surface.image->height())};
    coverage_.cover(intersection(surface.window, covered), canvas, PlaneGroup::kLuma);
    if (!coverage_.empty()) writeWeights(weights_, coverage_.columns.weights);
  }

  void draw(int y, const kernels::FloatRow& to) override {
    if (coverage_.empty() || y < coverage_.rows.first || y >= coverage_.rows.end) return;
    const float weight =
        static_cast<float>(surface_.opacity) * static_cast<float>(coverage_.rows.at(y)) * kCoverageUnit;
    const int first = coverage_.columns.first;
    blend(y, first, kernels::fromColumn(to, first),
          surface_.image->at(first - surface_.left, y - surface_.top), weight);
  }

 protected:
  virtual void blend(int, int, const kernels::FloatRow& to, const kernels::ConstFloatRow& from,
                     float weight) {
    kernels::overFloats(to, from, coverage_.columns.isFull() ? nullptr : weights_.data(), weight,
                        weights_.size());
  }

  const PlacedSurface surface_;
  RectCoverage coverage_;
  std::vector<float> weights_;
};

class BlendedRows final : public SurfaceRows {
 public:
  BlendedRows(const PlacedSurface& surface, const CanvasSize& canvas, BlendMode mode,
              const FloatImage& backdrop, const PixelRect& area)
      : SurfaceRows(surface, canvas), mode_(mode), backdrop_(backdrop), area_(area) {}

 protected:
  void blend(int y, int first, const kernels::FloatRow& to, const kernels::ConstFloatRow& from,
             float weight) override {
    blendWith(to, backdrop_.at(first - area_.left, y - area_.top), from, weights_.data(), weight,
              weights_.size(), mode_);
  }

 private:
  const BlendMode mode_;
  const FloatImage& backdrop_;
  const PixelRect area_;
};

}  // namespace

std::unique_ptr<FloatRowsSource> surfaceRows(const PlacedSurface& surface, const CanvasSize& canvas) {
  return std::make_unique<SurfaceRows>(surface, canvas);
}

std::unique_ptr<FloatRowsSource> blendedRows(const PlacedSurface& surface, const CanvasSize& canvas,
                                             BlendMode mode, const FloatImage& backdrop,
                                             const PixelRect& area) {
  return std::make_unique<BlendedRows>(surface, canvas, mode, backdrop, area);
}

}  // namespace framewright
