#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/deep/float_rows.h"

// Rows of images with alpha that are scaled or rotated: premultiplied working samples (plane_rows.h) without
// their offsets, so that black and grey are 0. Alpha is Q14 in images and Q15 once it is filtered. The
// results do not depend on the instruction set. Pure; any thread.
namespace framewright::kernels {

// Luma, Cb, Cr and alpha of a row of premultiplied signals.
void premultipliedSamples(int16_t* const* planes, const ConstFloatRow& src, const YcbcrScale& scale,
                          size_t count);

// Limits filtered alpha to 0..1, and makes it Q15. Returns whether any of it is visible.
bool fullAlpha(int16_t* alpha, size_t count);
// Limits filtered luma to 0..alpha, and chroma to half of alpha.
void limitLuma(int16_t* luma, const int16_t* alpha, size_t count);
void limitChroma(int16_t* chroma, const int16_t* alpha, size_t count);

// Adds the offset of luma.
void addBlack(int16_t* luma, const int16_t* alpha, size_t count);
// Alpha of chroma: [1 2 1] around even pixels of two rows. Reads from one pixel before the first on.
void halveAlpha(int16_t* dst, const int16_t* top, const int16_t* bottom, size_t count);
// Multiplies chroma by alpha / own, which is at most 4, and adds its offset.
void chromaOfAlpha(int16_t* cb, int16_t* cr, const int16_t* own, const int16_t* alpha, size_t count);

}  // namespace framewright::kernels
