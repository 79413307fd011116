#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/deep/float_rows.h"

// Curves of colours on rows of floats. The results do not depend on the instruction set. Pure; any thread.
namespace framewright::kernels {

// A function of 0..1 as steps + 2 values over a power of its argument, between which it is linear: value i is
// that of (i / steps)^root.
struct CurveTable {
  const float* values = nullptr;
  int32_t steps = 0;
  int root = 1;  // 1, 2 or 4
};
// row = curve(row), clamped to 0..1.
void curveFloats(float* row, const CurveTable& curve, size_t count);

// Divides colours by alpha, and multiplies by it again; transparent pixels become 0. Without alpha nothing
// changes.
void unpremultiplyFloats(const FloatRow& row, size_t count);
void premultiplyFloats(const FloatRow& row, size_t count);

// Linear light of BT.709's primaries to BT.2020's (BT.2087).
void lightOfBt2020(const FloatRow& row, size_t count);
// HLG's inverse OOTF of light in BT.2020's primaries, with a luminance L: row *= scale * curve(L) / L. The
// luminance is clamped to 0..1; black stays black.
void scaleByLuminance(const FloatRow& row, const CurveTable& curve, float luminanceScale, float scale,
                      size_t count);

}  // namespace framewright::kernels
