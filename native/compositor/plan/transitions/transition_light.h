#pragma once

#include <cstdint>
#include <vector>

#include "compositor/plan/transitions/transition_masks.h"

// Coloured light that covers the sides of a transition while they change under it. Shared by both backends.
// Pure; any thread.
namespace framewright {

// What a pixel shows, by the value of its pattern.
struct LightTables {
  std::vector<uint16_t> toWeights;     // Q15 weight of the new side
  std::vector<uint16_t> lightWeights;  // Q15 weight of the light over it
  std::vector<uint8_t> colors[3];      // Y, Cb, Cr of the light
  std::vector<float> signals[3];       // R', G', B' of the light, SDR, 0 … 1
};

struct TransitionLight {
  PatternValue pattern = nullptr;
  LightTables tables;  // kPatternSteps entries
};

// The light of one frame; 0 < progress < 1.
using LightFunction = TransitionLight (*)(double progress, Heading heading);

// Warm light that sweeps over the canvas.
TransitionLight lightLeak(double progress, Heading heading);
// A burning edge that grows over the old side.
TransitionLight filmBurn(double progress, Heading);

}  // namespace framewright
