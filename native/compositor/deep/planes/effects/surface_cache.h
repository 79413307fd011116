#pragma once

#include <list>
#include <memory>
#include <span>
#include <vector>

#include "compositor/compositor.h"
#include "compositor/deep/planes/overlay_planes.h"
#include "timeline/draw_list.h"

namespace framewright {

// Planes of drawn layers that do not change between frames. Layers are cached from their second frame on, so
// that moving layers use no memory. Used by one thread.
class SurfaceCache {
 public:
  // Where the planes of a layer are stored.
  struct Place {
    std::shared_ptr<const OverlayPlanes>* planes = nullptr;  // null: the layer is not cached
  };
  // Finds the planes of a layer on the pixels `area`; its opacity is ignored. The caller fills the place if
  // it is empty. Valid until endFrame().
  Place find(const Layer& layer, std::span<const PreparedImagePtr> images, const PixelRect& area);
  // Removes layers that were not in the last frames.
  void endFrame();

 private:
  static constexpr size_t kMaxBytes = size_t{96} << 20;
  static constexpr size_t kMaxEntries = 64;
  static constexpr int kMaxMissedFrames = 30;  // frames without the layer after which it is removed

  struct Known {
    Layer layer;
    std::vector<PreparedImagePtr> images;  // those of the layer, by their indices
    PixelRect area;
    std::shared_ptr<const OverlayPlanes> planes;
    int missed = -1;  // frames without the layer
  };
  bool fits(const PixelRect& area) const;

  std::list<Known> known_;
};

}  // namespace framewright
