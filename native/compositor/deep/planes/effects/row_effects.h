#pragma once

#include <optional>

#include "compositor/deep/planes/effects/row_shape.h"
#include "compositor/plan/effects/finish_plan.h"
#include "kernels/deep/sample_effects.h"

namespace framewright {

// Whether all effects of an image or fill change single samples of its planes, so that RowEffects draws it.
bool hasSampleEffects(const Layer& layer);

// Effects on the rows of opaque content: correction, vignette, grain, round corners, mask and cuts. Used by
// one thread.
class RowEffects {
 public:
  // `effects` and the window have the canvas's coordinates. Fails like DeepLayerDrawer.
  static Result<std::shared_ptr<RowEffects>> create(const LayerEffects& effects, const Rect& window,
                                                    std::span<const PreparedImagePtr> images,
                                                    const CanvasSize& canvas, const CanvasCurves& curves);

  // Whether a row of a group stays as it is.
  bool keepsSamples(PlaneGroup group) const;
  // Changes `count` samples that are not premultiplied, from a column on.
  void apply(PlaneGroup group, size_t colour, int y, int first, int16_t* row, size_t count);
  // See RowShape::weights().
  const uint16_t* weights(PlaneGroup group, int y) { return shape_.weights(group, y); }

 private:
  void setCorrection(const Correction& correction);
  void addGrain(int y, int first, int16_t* row, size_t count);

  std::optional<kernels::SampleLine> lumaLine_, chromaLine_;
  std::optional<kernels::SampleCurve> lumaCurve_;
  std::optional<std::array<VignettePlan, 2>> vignettes_;  // by PlaneGroup
  std::optional<GrainPlan> grain_;
  const GrainTile* tile_ = nullptr;
  std::vector<uint16_t> brightness_;
  std::vector<int8_t> noise_;
  RowShape shape_;
};

}  // namespace framewright
