#pragma once

#include "compositor/deep/planes/surfaces/plane_surface.h"
#include "core/homography.h"

// Effects that move the samples of a surface.
namespace framewright {

// The mean of copies that are moved by `motion`, in pixels of the surface.
void blurMotion(PlaneSurface& surface, const std::vector<Affine>& motion);

// Draws a surface as it is seen under a map of canvas pixels. `projected` has its area.
void projectSurface(PlaneSurface& projected, const PlaneSurface& flat, const Homography& toCanvas);

}  // namespace framewright
