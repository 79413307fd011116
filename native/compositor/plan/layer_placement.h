#pragma once

#include <functional>
#include <optional>

#include "compositor/plan/pixel_rect.h"
#include "timeline/draw_list.h"

namespace framewright {

// How and where a layer is drawn on a canvas.
struct LayerPlacement {
  enum class Method {
    kDirect,      // straight onto the frame
    kOffscreen,   // onto a surface of its own, where its effects are applied, then onto the frame
    kTransition,  // from two whole frames
  };

  Method method = Method::kDirect;
  Rect window;  // what is visible of the layer, canvas pixels
  double opacity = 1;
  PixelRect buffer;  // kOffscreen: canvas pixels that its surface holds
  PixelRect extent;  // drawing the layer reads and writes nothing outside; empty: it draws nothing
};

LayerPlacement placeLayer(const Layer& layer, const CanvasSize& canvas);

// The area under which lower layers are invisible. `hasOpaqueImage` matters for image layers only.
Rect opaqueRect(const Layer& layer, const LayerPlacement& placement, bool hasOpaqueImage,
                const CanvasSize& canvas);
// Whether `area` covers all of `pixels`.
bool covers(const Rect& area, const PixelRect& pixels);

// The index of the topmost layer that hides all below it in `part`; nothing when the background is visible.
// `isOpaque` tells whether the image at an index of DrawList::images is opaque.
std::optional<size_t> lowestVisibleLayer(const DrawList& list, const CanvasSize& canvas,
                                         const PixelRect& part, const std::function<bool(int)>& isOpaque);

// Maps the unit square to the revealed part of a layer's box, which is extended far beyond sides that hide
// nothing.
Affine revealedBox(const LayerEffects& effects);
// Whether a part of the box is hidden.
bool hidesPart(const LayerEffects& effects);

// For layers whose `image` is not among the images that were given.
Error missingImage(int image);

}  // namespace framewright
