#pragma once

#include <cstdint>

#include "compositor/cpu/crossing.h"

// Transitions whose pixels change by colour alone, wherever they are.
namespace framewright {

void fade(const Crossing& crossing);
// Out to a colour, then in from it; quicker out.
void fadeThrough(const Crossing& crossing, const Color& color);
// The same through the pictures' own grey.
void fadeThroughGrays(const Crossing& crossing);

// kFast: samples that differ much change first; kSlow: last.
enum class FadeOrder { kFast, kSlow };
void fadeByDifference(const Crossing& crossing, FadeOrder order);

// A fade in which pixels jump to the new picture, the most different ones first.
void fadeByDistance(const Crossing& crossing);

}  // namespace framewright
