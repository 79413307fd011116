#pragma once

#include <memory>

#include "compositor/deep/planes/float_rows_source.h"
#include "compositor/deep/planes/layer_rows.h"
#include "compositor/deep/planes/overlay_planes.h"
#include "compositor/deep/planes/plane_layer.h"

namespace framewright {

// Lays planes over the frame with their corner at (left, top), inside the canvas.
std::unique_ptr<PlaneLayer> overlayLayer(std::shared_ptr<const OverlayPlanes> planes, int left, int top,
                                         double opacity, const CanvasSize& canvas);

// The same for planes of the pixels `area` of the canvas, of which a window is shown.
std::unique_ptr<PlaneLayer> windowedLayer(std::shared_ptr<const OverlayPlanes> planes, const PixelRect& area,
                                          const Rect& window, double opacity, const CanvasSize& canvas);

// Lays rows over the frame.
std::unique_ptr<PlaneLayer> rowsLayer(std::unique_ptr<LayerRows> rows, double opacity = 1);
// The samples of all rows, which are inside of `area`; it starts on even pixels. overlayLayer() shows them as
// rowsLayer() does.
std::shared_ptr<const OverlayPlanes> planesOfRows(LayerRows& rows, const PixelRect& area,
                                                  const CanvasSize& canvas);

// Converts rows that are drawn in floats on the part `area`.
std::unique_ptr<LayerRows> overlayRows(std::unique_ptr<FloatRowsSource> rows, const PixelRect& area,
                                       const CanvasSize& canvas, const kernels::YcbcrScale& scale);

}  // namespace framewright
