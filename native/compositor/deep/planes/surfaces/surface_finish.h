#pragma once

#include <vector>

#include "compositor/deep/planes/effects/row_shape.h"
#include "compositor/deep/planes/surfaces/plane_surface.h"
#include "compositor/plan/effects/finish_plan.h"

// Effects that change a surface sample by sample, and sharpening.
namespace framewright {

// Adds the difference of luma from its surroundings `amount` times, 0 to 1, as the compositor of 8 bits does.
void sharpenSurface(PlaneSurface& surface, double amount);
// The coordinates of `effects` are pixels of the surface.
void darkenCorners(PlaneSurface& surface, const LayerEffects& effects);
void addGrain(PlaneSurface& surface, const LayerEffects& effects);
// Leaves the share of each sample that `shape` has.
void applyShape(PlaneSurface& surface, RowShape& shape);

// Adds drop shadows below what is on the surface. `color`: of the canvas.
class SampleBlur;
void castShadows(PlaneSurface& surface, const std::vector<DropShadow>& shadows, const CanvasCurves& curves,
                 SampleBlur& blur);

}  // namespace framewright
