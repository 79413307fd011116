#pragma once

#include "compositor/deep/canvas_curves.h"
#include "compositor/deep/draw_image.h"
#include "core/blend_mode.h"
#include "timeline/effects.h"

// Effects on surfaces with alpha.
namespace framewright {

// Multiplies by the luma of a mask. `box` maps the unit square of the mask to the surface.
Status applyMask(FloatImage& image, const DeepImage& mask, const Affine& box, DeepImageDrawer& images);

// Corrects colours of a row as FFmpeg's eq filter does, without rounding. Values are signals of the canvas.
void correctColors(const kernels::FloatRow& row, size_t count, const Correction& correction,
                   const CanvasColor& color);

// Writes the luma of a mask's row, which applyMask() multiplies by.
void writeMaskWeights(float* weights, const kernels::ConstFloatRow& mask, size_t count);

// Lays `layer`, whose corner is at (left, top), over the frame by a blend mode on signals. `window` limits
// it.
void blendOver(FloatImage& frame, const FloatImage& layer, int left, int top, const Rect& window,
               double opacity, BlendMode mode);

}  // namespace framewright
