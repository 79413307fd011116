#pragma once

#include <memory>

#include "compositor/deep/planes/plane_layer.h"
#include "compositor/plan/pixel_rect.h"
#include "compositor/plan/transitions/transition_masks.h"
#include "core/image.h"

// Transitions that read their sides at other places than they draw; 0 < progress < 1. Sides are kI010 images
// of working samples.
namespace framewright {

struct SampleSides {
  ImagePtr from, to;
};

std::unique_ptr<PlaneLayer> squeezeLayer(SampleSides sides, double progress, Axis axis);
std::unique_ptr<PlaneLayer> pixelizeLayer(SampleSides sides, double progress);
// A pan over both sides, blurred along it.
std::unique_ptr<PlaneLayer> whipPanLayer(SampleSides sides, double progress, Heading heading);

// The old side as a page that is rolled off.
std::unique_ptr<PlaneLayer> pageCurlLayer(SampleSides sides, double progress, Heading heading);

}  // namespace framewright
