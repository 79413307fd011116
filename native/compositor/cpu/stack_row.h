#pragma once

#include <cstdint>

#include "compositor/cpu/coverage.h"

namespace framewright {

// Lays the samples of `src` over coverage.first … of the plane row `dst`, each weighted by its coverage and
// by `weight`. `src` and `alpha` (null: opaque) start at coverage.first.
void stackRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const AxisCoverage& coverage,
              uint16_t weight);
// The same with one value for all.
void stackValue(uint8_t* dst, uint8_t value, const AxisCoverage& coverage, uint16_t weight);

}  // namespace framewright
