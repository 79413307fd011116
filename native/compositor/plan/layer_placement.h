#pragma once

#include <functional>
#include <optional>

#include "compositor/plan/pixel_rect.h"
#include "core/image.h"
#include "timeline/draw_list.h"

namespace framewright {

// How and where a layer is drawn on a canvas.
struct LayerPlacement {
  enum class Method {
    kDirect,      // directly onto the frame
    kOffscreen,   // on an offscreen surface for effects, then onto the frame
    kTransition,  // from two whole frames
  };

  Method method = Method::kDirect;
  Rect window;  // visible area of the layer, canvas pixels
  double opacity = 1;
  PixelRect buffer;  // kOffscreen: canvas area of the surface
  PixelRect flat;    // kOffscreen, projected: area of the surface before the projection, in its coordinates
  PixelRect extent;  // area that drawing reads and writes; empty: nothing to draw
};

LayerPlacement placeLayer(const Layer& layer, const CanvasSize& canvas);

// The area in which lower layers are invisible. `hasOpaqueImage` is used for image layers only.
Rect opaqueRect(const Layer& layer, const LayerPlacement& placement, bool hasOpaqueImage,
                const CanvasSize& canvas);
// Whether `area` covers all of `pixels`.
bool covers(const Rect& area, const PixelRect& pixels);

// Index of the topmost layer that hides all below it in `part`; nothing if the background is visible.
// `isOpaque` returns whether the image at an index of DrawList::images is opaque.
std::optional<size_t> lowestVisibleLayer(const DrawList& list, const CanvasSize& canvas,
                                         const PixelRect& part, const std::function<bool(int)>& isOpaque);

// The image of a list's top layer if the list shows nothing but this image, unscaled and opaque, provided
// that its size is that of the canvas: an index of DrawList::images.
std::optional<size_t> imageShownAlone(const DrawList& list, const CanvasSize& canvas);
// Whether the samples of a decoded frame can be those of a composed one of this format and size.
bool isComposedFrame(const Image& image, PixelFormat format, const CanvasSize& canvas);

// Maps the unit square to the revealed part of a layer's box, extended far beyond sides that hide nothing.
Affine revealedBox(const LayerEffects& effects);
// Whether a part of the box is hidden by cutting the layer. Otherwise it is axis-aligned, and hidden by a
// window.
bool cutsRevealed(const LayerEffects& effects);

// Error for layers whose `image` index is out of range.
Error missingImage(int image);

}  // namespace framewright
