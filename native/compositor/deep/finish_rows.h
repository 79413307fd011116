#pragma once

#include <optional>
#include <vector>

#include "compositor/plan/effects/finish_plan.h"
#include "core/canvas_color.h"
#include "kernels/deep/float_rows.h"

namespace framewright {

// Vignette and grain of rows in floats, which are signals. Used by one thread.
class FinishRows {
 public:
  // `effects`: in pixels of the surface, whose corner is at (left, top) of the canvas.
  void begin(const LayerEffects& effects, int left, int top, const CanvasColor& color);

  bool hasVignette() const { return vignette_.has_value(); }
  bool hasGrain() const { return grain_.has_value(); }
  // Both change row y of the surface, from column 0 on.
  void darken(int y, const kernels::FloatRow& row, size_t count);
  void addGrain(int y, const kernels::FloatRow& row, size_t count);

 private:
  std::optional<VignettePlan> vignette_;
  std::optional<GrainPlan> grain_;
  const GrainTile* tile_ = nullptr;
  kernels::YcbcrScale scale_{};
  std::vector<uint16_t> brightness_;
  std::vector<float> shares_;
};

// Writes the noise of row y of a surface from column `first` on.
void writeNoise(int8_t* noise, const GrainTile& tile, const GrainPlan& plan, int y, int first, size_t count);

}  // namespace framewright
