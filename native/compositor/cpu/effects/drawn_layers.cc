#include "compositor/cpu/effects/drawn_layers.h"

#include <numeric>

namespace framewright {
namespace {

// Where both are drawn apart as the same picture: how that is laid over the frame does not count.
bool areAlike(const Layer& a, const Layer& b) {
  if (a.kind != b.kind || a.toCanvas != b.toCanvas || a.crop != b.crop || a.fill != b.fill ||
      a.bars != b.bars)
    return false;
  LayerEffects effects = *a.effects;
  effects.blend = b.effects->blend;
  effects.mask = b.effects->mask;
  return effects == *b.effects;
}

// As much as LayerBuffer::begin() takes, nearly.
size_t bytesFor(const PixelRect& pixels) {
  return static_cast<size_t>(pixels.width()) * static_cast<size_t>(pixels.height()) * 11 / 4;
}

}  // namespace

DrawnLayers::Known* DrawnLayers::entryOf(const Layer& layer, const ApartPictures& pictures,
                                         const PixelRect& pixels) {
  for (Known& known : known_) {
    if (known.pixels == pixels && known.pictures == pictures && areAlike(known.layer, layer)) return &known;
  }
  return nullptr;
}

LayerBuffer* DrawnLayers::find(const Layer& layer, const ApartPictures& pictures, const PixelRect& pixels) {
  Known* const known = entryOf(layer, pictures, pixels);
  if (known == nullptr || !known->isDrawn) return nullptr;
  known->missed = -1;
  return &known->buffer;
}

LayerBuffer& DrawnLayers::placeFor(const Layer& layer, const ApartPictures& pictures, const PixelRect& pixels,
                                   LayerBuffer& scratch) {
  Known* const known = entryOf(layer, pictures, pixels);
  if (known == nullptr) {
    if (known_.size() < kMostKnown) {
      known_.emplace_back();
      known_.back().layer = layer;
      known_.back().pictures = pictures;
      known_.back().pixels = pixels;
    }
    return scratch;
  }
  known->missed = -1;
  const size_t kept = std::accumulate(
      known_.begin(), known_.end(), size_t{0},
      [](size_t sum, const Known& each) { return sum + (each.isDrawn ? bytesFor(each.pixels) : 0); });
  if (kept + bytesFor(pixels) > kMostBytes) return scratch;
  known->isDrawn = true;
  return known->buffer;
}

void DrawnLayers::endFrame() {
  for (Known& known : known_) ++known.missed;
  std::erase_if(known_, [](const Known& known) { return known.missed > (known.isDrawn ? kMostMissed : 0); });
}

}  // namespace framewright
