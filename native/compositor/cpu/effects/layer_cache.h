#pragma once

#include <list>
#include <vector>

#include "compositor/compositor.h"
#include "compositor/cpu/effects/layer_buffer.h"
#include "timeline/draw_list.h"

namespace framewright {

// The images of a layer with effects; null where it has none. Owning them keeps their addresses from being
// reused.
struct EffectInputs {
  PreparedImagePtr content, mask, grade;
  std::vector<EffectInputs> members;  // of a group
  bool operator==(const EffectInputs&) const = default;
};

// Cache of offscreen surfaces of unchanged layers. Layers are cached from their second frame on, so that
// moving layers use no memory. Used by one thread.
class LayerCache {
 public:
  // Null when the layer is not cached.
  LayerBuffer* find(const Layer& layer, const EffectInputs& images, const PixelRect& pixels);
  // Buffer for drawing an uncached layer: a cache entry if the layer was also in the last frame and the
  // budget allows it, else `scratch`.
  LayerBuffer& placeFor(const Layer& layer, const EffectInputs& images, const PixelRect& pixels,
                        LayerBuffer& scratch);
  void endFrame();
  void clear() { known_.clear(); }

 private:
  static constexpr size_t kMaxBytes = size_t{48} << 20;
  static constexpr size_t kMaxEntries = 64;
  static constexpr int kMaxMissedFrames = 30;  // frames without the layer after which it is removed

  struct Known {
    Layer layer;
    EffectInputs images;
    PixelRect pixels;
    LayerBuffer buffer;
    bool isDrawn = false;
    int missed = -1;  // frames without the layer
  };
  Known* entryOf(const Layer& layer, const EffectInputs& images, const PixelRect& pixels);

  std::list<Known> known_;
};

}  // namespace framewright
