#pragma once

#include <cstdint>

namespace framewright {

// Adds `count` stereo samples to the sum with a gain that changes linearly from `fromGain` at the first
// sample to `toGain` one past the last.
void mixInto(float* sumLeft, float* sumRight, const float* left, const float* right, int64_t count,
             float fromGain, float toGain);

}  // namespace framewright
