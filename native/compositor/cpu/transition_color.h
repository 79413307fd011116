#pragma once

#include <array>
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
// How far a sample has gone, by its difference from the new one: of -255, -254 … 255.
std::array<int16_t, 511> differenceSteps(double progress, FadeOrder order);

// A fade in which pixels jump to the new picture, the most different ones first.
void fadeByDistance(const Crossing& crossing);
// The largest squared distance of pixels that still fade.
int32_t distanceLimit(double progress);

}  // namespace framewright
