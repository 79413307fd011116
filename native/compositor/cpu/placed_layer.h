#pragma once

#include "compositor/cpu/shape.h"
#include "timeline/draw_list.h"

namespace framewright {

// Where and how a layer is drawn on a canvas.
struct PlacedLayer {
  enum class Way { kPlain, kApart, kTransition };  // kApart: its effects need a picture of its own

  Way way = Way::kPlain;
  Rect window;
  double opacity = 1;
  PixelRect buffer;  // kApart: what its own picture holds
  PixelRect extent;  // nothing outside is changed, or read to change something; empty: nothing at all
};

PlacedLayer placeLayer(const Layer& layer, const CanvasSize& canvas);

// What lies under here cannot be seen, if `pictureIsOpaque`, which counts for pictures alone.
Rect hiddenUnder(const Layer& layer, const PlacedLayer& placed, bool pictureIsOpaque,
                 const CanvasSize& canvas);
bool covers(const Rect& hidden, const PixelRect& pixels);

// The revealed part of the box, going on where a side cuts nothing.
Affine revealedBox(const LayerEffects& effects);
bool cutsAtAll(const LayerEffects& effects);

}  // namespace framewright
