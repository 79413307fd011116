#pragma once

#include <deque>

#include "compositor/deep/layer_drawer.h"
#include "compositor/deep/planes/surfaces/sample_blur.h"
#include "compositor/deep/planes/surfaces/surface_grade.h"
#include "compositor/deep/planes/surfaces/surface_key.h"

namespace framewright {

// Draws layers on surfaces of planes, with effects that have no version in floats and with those that are
// faster so. Reuses its surfaces; used by one thread.
class SurfaceDrawer final : public LayerSurfaces {
 public:
  // `prefersPlanes`: whether opaque content has all effects here, at the resolution of its chroma.
  SurfaceDrawer(const CanvasCurves& curves, DeepLayerDrawer& layers, bool prefersPlanes);

  // Draws a layer with its effects on the placement's pixels, but for its opacity, window and blend mode.
  // Fails like DeepLayerDrawer.
  Status draw(PlaneSurface& to, const Layer& layer, std::span<const PreparedImagePtr> images,
              const LayerPlacement& placed, size_t depth = 0);

  bool draws(const Layer& layer, std::span<const PreparedImagePtr> images) const override;
  Status draw(FloatImage& to, const Layer& layer, std::span<const PreparedImagePtr> images,
              const LayerPlacement& placed, size_t depth) override;

 private:
  using Images = std::span<const PreparedImagePtr>;

  static bool isOpaqueContent(const Layer& layer, Images images);
  // Draws everything before a projection. The layer has the surface's coordinates.
  Status drawFlat(PlaneSurface& to, const Layer& layer, Images images, size_t depth);
  // Draws the content, corrected and, where nothing comes between, with its vignette. Sets what is left to
  // do.
  Status drawContent(PlaneSurface& to, const Layer& layer, Images images, size_t depth, LayerEffects& left);
  Status drawCodes(PlaneSurface& to, const Layer& layer, Images images, const LayerEffects& before);
  PlaneSurface& nextSurface();

  const CanvasCurves& curves_;
  DeepLayerDrawer& layers_;
  const bool prefersPlanes_;
  SampleBlur blur_;
  SurfaceGrader grader_;
  SurfaceKeyer keyer_;
  std::deque<PlaneSurface> surfaces_;
  std::deque<FloatImage> floats_;  // by nesting, like the surfaces
  size_t usedSurfaces_ = 0, usedFloats_ = 0;
};

}  // namespace framewright
