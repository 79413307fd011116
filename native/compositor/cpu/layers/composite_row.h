#pragma once

#include <cstdint>

#include "compositor/plan/coverage.h"
#include "kernels/rounding.h"

namespace framewright {

// Composites the samples of `src` over samples coverage.first … of the plane row `dst`, each weighted by its
// coverage and by `weight` (Q15). `src` and `alpha` (null: opaque) start at coverage.first, `rounding` at
// sample 0.
void compositeRow(uint8_t* dst, const uint8_t* src, const uint8_t* alpha, const AxisCoverage& coverage,
                  uint16_t weight, const kernels::RowRounding& rounding);
// Composites a constant opaque value.
void compositeValue(uint8_t* dst, uint8_t value, const AxisCoverage& coverage, uint16_t weight,
                    const kernels::RowRounding& rounding);

// Computes `count` chroma weights as means of 2x2 luma weights.
void halveWeights(uint16_t* chroma, const uint16_t* top, const uint16_t* bottom, int count);

}  // namespace framewright
