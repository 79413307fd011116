#include "compositor/deep/planes/effects/surface_cache.h"

#include <utility>

#include "compositor/changes/changed_rects.h"

namespace framewright {
namespace {

void addImages(const Layer& layer, std::span<const PreparedImagePtr> images,
               std::vector<PreparedImagePtr>& used) {
  const auto add = [&](int index) {
    if (index < 0 || static_cast<size_t>(index) >= images.size()) return;
    const auto at = static_cast<size_t>(index);
    if (used.size() <= at) used.resize(at + 1);
    used[at] = images[at];
  };
  if (layer.kind == Layer::Kind::kImage) add(layer.image);
  if (layer.effects) {
    add(layer.effects->mask);
    add(layer.effects->grade);
  }
  for (const Layer& member : layer.group) addImages(member, images, used);
}

size_t planeBytes(const PixelRect& area) {
  constexpr size_t kHalfSamples = 7;  // luma and alpha, and a quarter of them for Cb, Cr and alpha
  return static_cast<size_t>(area.width()) * static_cast<size_t>(area.height()) * sizeof(int16_t) *
         kHalfSamples / 2;
}

}  // namespace

bool SurfaceCache::fits(const PixelRect& area) const {
  size_t bytes = planeBytes(area);
  for (const Known& known : known_) bytes += known.planes != nullptr ? planeBytes(known.area) : 0;
  return bytes <= kMaxBytes;
}

SurfaceCache::Place SurfaceCache::find(const Layer& layer, std::span<const PreparedImagePtr> images,
                                       const PixelRect& area) {
  Layer wanted = layer;
  wanted.opacity = 1;
  for (Known& known : known_) {
    if (known.area != area || !isSameLayer(known.layer, known.images, wanted, images)) continue;
    const bool isFirst = known.missed < 0;  // twice in one frame
    known.missed = -1;
    if (known.planes == nullptr && (isFirst || !fits(area))) return {};
    return {&known.planes};
  }
  if (known_.size() < kMaxEntries) {
    std::vector<PreparedImagePtr> used;
    addImages(wanted, images, used);
    known_.push_back({std::move(wanted), std::move(used), area, nullptr, -1});
  }
  return {};
}

void SurfaceCache::endFrame() {
  for (Known& known : known_) ++known.missed;
  std::erase_if(known_, [](const Known& known) {
    return known.missed > (known.planes != nullptr ? kMaxMissedFrames : 0);
  });
}

}  // namespace framewright
