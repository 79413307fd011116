#pragma once

#include <span>

#include "compositor/deep/layer_drawer.h"
#include "compositor/deep/planes/float_rows_source.h"

namespace framewright {

// Whether all effects of a layer but its blend mode change single pixels of an image or fill, in floats.
bool hasRowEffects(const Layer& layer);

// Draws such a layer with its effects row by row, without opacity and blend mode, on a surface at the pixels
// `area` of the canvas. Fails like DeepLayerDrawer.
Result<std::unique_ptr<SurfaceReader>> effectReader(const Layer& layer,
                                                    std::span<const PreparedImagePtr> images,
                                                    const PixelRect& area, const CanvasCurves& curves);

}  // namespace framewright
