#pragma once

#include <memory>
#include <span>

#include "compositor/deep/layer_drawer.h"
#include "compositor/deep/planes/effects/surface_cache.h"
#include "compositor/deep/planes/float_rows_source.h"
#include "compositor/deep/planes/plane_list.h"
#include "compositor/deep/planes/surfaces/surface_drawer.h"
#include "compositor/deep/planes/transitions/plane_transitions.h"

namespace framewright {

// Composes opaque frames in planes of 16 bits, for canvases whose layers are blended as signals: clips and
// photos stay planes from their decoder to the frame, and what has alpha or effects is drawn in floats where
// it is, then laid over them. Used by one thread.
class PlaneComposer {
 public:
  PlaneComposer(std::shared_ptr<const CanvasCurves> curves, DeepLayerDrawer& layers, SurfaceDrawer& drawer,
                PlaneTransitions& transitions);

  // Composes a list over black into a kI010 frame. Fails like DeepLayerDrawer.
  Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) {
    const PixelRect whole{0, 0, frame.width(), frame.height()};
    return redraw(list, images, frame, {&whole, 1});
  }
  // Composes these regions of a frame that shows the list everywhere else.
  Status redraw(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame,
                std::span<const PixelRect> parts);

 private:
  using Images = std::span<const PreparedImagePtr>;

  // Leaves out layers that are outside of all parts.
  Result<PlaneList> plan(const DrawList& list, Images images, const CanvasSize& canvas,
                         std::span<const PixelRect> parts);
  Result<PlaneList> planSide(const std::shared_ptr<const DrawList>& side, bool isSeen, Images images,
                             const CanvasSize& canvas);
  Status addLayer(PlaneList& to, const Layer& layer, Images images);
  // Adds a layer whose effects change single samples. Returns false unless its content is opaque.
  Result<bool> addAffected(PlaneList& to, const Layer& layer, const LayerPlacement& placed, Images images);
  Status addImage(PlaneList& to, const Layer& layer, const DeepImage& image, const LayerPlacement& placed,
                  Images images);
  // Adds rows that are drawn without the layer's opacity, or the planes of them that are cached.
  template <class MakeRows>
  Status addRows(PlaneList& to, const Layer& layer, const LayerPlacement& placed, Images images,
                 const MakeRows& makeRows);
  // The rows of a layer that is drawn in floats, without its opacity.
  Result<std::unique_ptr<FloatRowsSource>> drawRows(const Layer& layer, const LayerPlacement& placed,
                                                    const CanvasSize& canvas, Images images);
  // The surface of a layer on the pixels of the placement's buffer; without its opacity, window and blend
  // mode if it has effects.
  Result<std::unique_ptr<SurfaceReader>> drawSurface(const Layer& layer, bool hasEffects,
                                                     const LayerPlacement& placed, Images images);
  // A layer for its blend mode.
  Result<PlacedSurface> drawBlended(const Layer& layer, const LayerPlacement& placed,
                                    const CanvasSize& canvas, Images images);
  // Adds a layer that is drawn on a surface of planes.
  Status addSurface(PlaneList& to, const Layer& layer, const LayerPlacement& placed, Images images);
  // Draws a layer in floats and adds it as an overlay.
  Status addDrawn(PlaneList& to, const Layer& layer, const LayerPlacement& placed, Images images);
  Status addTransition(PlaneList& to, const Layer& layer, Images images);

  const std::shared_ptr<const CanvasCurves> curves_;
  const kernels::YcbcrScale scale_;
  DeepLayerDrawer& layers_;
  SurfaceDrawer& drawer_;
  PlaneTransitions& transitions_;
  SurfaceCache cache_;
  ReusedPool<FloatImage> surfaces_;
  ReusedPool<std::shared_ptr<OverlayPlanes>> overlays_;
  ReusedPool<std::shared_ptr<Image>> frames_;
};

}  // namespace framewright
