#pragma once

#include <list>

#include "compositor/compositor.h"
#include "compositor/cpu/effects/layer_buffer.h"
#include "timeline/draw_list.h"

namespace framewright {

// Pictures of a layer that has effects; null where it has none. Holding them keeps their addresses theirs.
struct ApartPictures {
  PicturePtr content, mask;
  bool operator==(const ApartPictures&) const = default;
};

// Layers drawn apart, kept while they come again. The first time a layer is only noted, so that what moves
// costs no memory. Used by one thread.
class DrawnLayers {
 public:
  // Null where the layer is not kept.
  LayerBuffer* find(const Layer& layer, const ApartPictures& pictures, const PixelRect& pixels);
  // Where to draw a layer that is not kept: a place of its own if it came in the last frame already and
  // there is room, else `scratch`.
  LayerBuffer& placeFor(const Layer& layer, const ApartPictures& pictures, const PixelRect& pixels,
                        LayerBuffer& scratch);
  void endFrame();
  void clear() { known_.clear(); }

 private:
  static constexpr size_t kMostBytes = size_t{48} << 20;
  static constexpr size_t kMostKnown = 64;
  static constexpr int kMostMissed = 30;  // frames for which a drawn layer is kept in vain

  struct Known {
    Layer layer;
    ApartPictures pictures;
    PixelRect pixels;
    LayerBuffer buffer;
    bool isDrawn = false;
    int missed = -1;  // frames in which it did not come
  };
  Known* entryOf(const Layer& layer, const ApartPictures& pictures, const PixelRect& pixels);

  std::list<Known> known_;
};

}  // namespace framewright
