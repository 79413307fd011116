#include "compositor/cpu/effects/layer_cache.h"

#include <algorithm>
#include <numeric>

namespace framewright {
namespace {

bool areAlike(const Layer& a, const Layer& b);

bool isSameMember(const Layer& a, const Layer& b) {
  return a.window == b.window && a.opacity == b.opacity && a.effects.has_value() == b.effects.has_value() &&
         areAlike(a, b);
}

// Whether both layers have the same offscreen surface, if their images are the same; compositing parameters
// are ignored.
bool areAlike(const Layer& a, const Layer& b) {
  if (a.kind != b.kind || a.toCanvas != b.toCanvas || a.crop != b.crop || a.fill != b.fill ||
      a.bars != b.bars || a.waveform != b.waveform ||
      !std::equal(a.group.begin(), a.group.end(), b.group.begin(), b.group.end(), isSameMember))
    return false;
  if (!a.effects) return true;
  LayerEffects effects = *a.effects;
  effects.blend = b.effects->blend;
  effects.mask = b.effects->mask;
  effects.grade = b.effects->grade;
  return effects == *b.effects;
}

// Approximate allocation of LayerBuffer::begin().
size_t bytesFor(const PixelRect& pixels) {
  return static_cast<size_t>(pixels.width()) * static_cast<size_t>(pixels.height()) * 11 / 4;
}

}  // namespace

LayerCache::Known* LayerCache::entryOf(const Layer& layer, const EffectInputs& images,
                                       const PixelRect& pixels) {
  for (Known& known : known_) {
    if (known.pixels == pixels && known.images == images && areAlike(known.layer, layer)) return &known;
  }
  return nullptr;
}

LayerBuffer* LayerCache::find(const Layer& layer, const EffectInputs& images, const PixelRect& pixels) {
  Known* const known = entryOf(layer, images, pixels);
  if (known == nullptr || !known->isDrawn) return nullptr;
  known->missed = -1;
  return &known->buffer;
}

LayerBuffer& LayerCache::placeFor(const Layer& layer, const EffectInputs& images, const PixelRect& pixels,
                                  LayerBuffer& scratch) {
  Known* const known = entryOf(layer, images, pixels);
  if (known == nullptr) {
    if (known_.size() < kMaxEntries) {
      known_.emplace_back();
      known_.back().layer = layer;
      known_.back().images = images;
      known_.back().pixels = pixels;
    }
    return scratch;
  }
  known->missed = -1;
  const size_t cachedBytes = std::accumulate(
      known_.begin(), known_.end(), size_t{0},
      [](size_t sum, const Known& each) { return sum + (each.isDrawn ? bytesFor(each.pixels) : 0); });
  if (cachedBytes + bytesFor(pixels) > kMaxBytes) return scratch;
  known->isDrawn = true;
  return known->buffer;
}

void LayerCache::endFrame() {
  for (Known& known : known_) ++known.missed;
  std::erase_if(known_,
                [](const Known& known) { return known.missed > (known.isDrawn ? kMaxMissedFrames : 0); });
}

}  // namespace framewright
