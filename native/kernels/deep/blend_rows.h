#pragma once

#include <cstddef>

#include "core/blend_mode.h"
#include "kernels/deep/float_rows.h"

// Blend modes on rows of floats. The results do not depend on the instruction set. Pure; any thread.
namespace framewright::kernels {

// Writes what has to be laid over a row of an opaque backdrop to blend pixels with it, each weighted by
// `rowWeight` times `weights`. `src` is premultiplied; without alpha it is opaque.
void blendFloats(const FloatRow& dst, const ConstFloatRow& backdrop, const ConstFloatRow& src,
                 const float* weights, float rowWeight, size_t count, BlendMode mode);

}  // namespace framewright::kernels
