#pragma once

#include "compositor/plan/axis_filter.h"
#include "compositor/plan/coverage.h"

namespace framewright::gpu {

// A filter that gives chroma samples from an image's pixels at once: `pixels`, the filter of the covered
// canvas pixels, then their coverage, then the filter of chroma, which is [1 2 1] around even columns
// (`isAcross`) or the mean of two rows. The edges of `canvas` are repeated.
AxisFilter chromaFilter(const AxisFilter& pixels, const AxisCoverage& coverage, const SampleRange& samples,
                        const SampleRange& canvas, bool isAcross);

}  // namespace framewright::gpu
