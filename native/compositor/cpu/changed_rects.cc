#include "compositor/cpu/changed_rects.h"

#include <algorithm>

#include "compositor/cpu/placed_layer.h"

namespace framewright {
namespace {

constexpr size_t kMostRects = 6;
constexpr double kWaste = 1.25;        // times the area, that joining two rectangles may cost
constexpr double kSmall = 64 * 64;     // square pixels, too few to be worth a rectangle of their own
constexpr double kMostOfCanvas = 0.8;  // changed, from which all is drawn

bool isSameList(const std::shared_ptr<const DrawList>& a, std::span<const PicturePtr> ofA,
                const std::shared_ptr<const DrawList>& b, std::span<const PicturePtr> ofB) {
  if (a == nullptr || b == nullptr) return a == b;
  return std::equal(
      a->layers.begin(), a->layers.end(), b->layers.begin(), b->layers.end(),
      [&](const Layer& layer, const Layer& other) { return isSameLayer(layer, ofA, other, ofB); });
}

// All but the mask's index.
bool isSameEffects(const std::optional<LayerEffects>& a, const std::optional<LayerEffects>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  if ((a->mask < 0) != (b->mask < 0)) return false;
  if (a->mask == b->mask) return *a == *b;
  LayerEffects other = *b;
  other.mask = a->mask;
  return *a == other;
}

int maskOf(const Layer& layer) { return layer.effects ? layer.effects->mask : -1; }

class RectList {
 public:
  void add(PixelRect rect) {
    if (rect.empty()) return;
    // What joins another may now join a third.
    for (bool joined = true; joined;) {
      joined = false;
      for (size_t i = 0; i < rects_.size() && !joined; ++i) {
        if (!worthJoining(rects_[i], rect)) continue;
        rect = bounding(rects_[i], rect);
        rects_.erase(rects_.begin() + static_cast<std::ptrdiff_t>(i));
        joined = true;
      }
    }
    rects_.push_back(rect);
    if (rects_.size() > kMostRects) joinCheapest();
  }
  std::vector<PixelRect> take() { return std::move(rects_); }
  double area() const {
    double sum = 0;
    for (const PixelRect& rect : rects_) sum += rect.area();
    return sum;
  }
  const std::vector<PixelRect>& rects() const { return rects_; }

 private:
  static double costOfJoining(const PixelRect& a, const PixelRect& b) {
    return bounding(a, b).area() - a.area() - b.area();
  }
  static bool worthJoining(const PixelRect& a, const PixelRect& b) {
    return bounding(a, b).area() <= kWaste * (a.area() + b.area()) + kSmall;
  }
  void joinCheapest() {
    size_t first = 0, second = 1;
    for (size_t i = 0; i < rects_.size(); ++i) {
      for (size_t k = i + 1; k < rects_.size(); ++k) {
        if (costOfJoining(rects_[i], rects_[k]) < costOfJoining(rects_[first], rects_[second])) {
          first = i;
          second = k;
        }
      }
    }
    const PixelRect joined = bounding(rects_[first], rects_[second]);
    rects_.erase(rects_.begin() + static_cast<std::ptrdiff_t>(second));
    rects_.erase(rects_.begin() + static_cast<std::ptrdiff_t>(first));
    add(joined);
  }

  std::vector<PixelRect> rects_;
};

// Layers that are in both in the same order change nothing; what all others reach does.
void addDifferences(RectList& rects, const ListedLayers& from, const ListedLayers& to,
                    const CanvasSize& canvas) {
  const std::vector<Layer>&old = from.list.layers, &next = to.list.layers;
  const auto changed = [&](const Layer& layer) { rects.add(placeLayer(layer, canvas).extent); };
  size_t seen = lowestVisible(from, canvas, canvas.pixels()).value_or(0);
  for (size_t i = lowestVisible(to, canvas, canvas.pixels()).value_or(0); i < next.size(); ++i) {
    const Layer& layer = next[i];
    size_t match = seen;
    while (match < old.size() && !isSameLayer(old[match], from.pictures, layer, to.pictures)) ++match;
    if (match == old.size()) {
      changed(layer);
      continue;
    }
    for (; seen < match; ++seen) changed(old[seen]);
    ++seen;
  }
  for (; seen < old.size(); ++seen) changed(old[seen]);
}

// A blend mode reads what is under it around the pixels that it changes: it is drawn whole or not at all.
bool widenToBlends(RectList& rects, const DrawList& list, const CanvasSize& canvas) {
  for (const Layer& layer : list.layers) {
    if (!layer.effects || layer.effects->blend == BlendMode::kNormal) continue;
    const PixelRect extent = placeLayer(layer, canvas).extent;
    for (const PixelRect& rect : rects.rects()) {
      if (intersection(rect, extent).empty() || bounding(rect, extent) == rect) continue;
      rects.add(bounding(rect, extent));
      return true;
    }
  }
  return false;
}

// A transition that is seen; it is drawn whole.
bool hasTransition(const ListedLayers& layers, const CanvasSize& canvas) {
  const std::vector<Layer>& all = layers.list.layers;
  const size_t lowest = lowestVisible(layers, canvas, canvas.pixels()).value_or(0);
  return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(std::min(lowest, all.size())), all.end(),
                     [](const Layer& layer) { return layer.kind == Layer::Kind::kTransition; });
}

}  // namespace

bool isSameLayer(const Layer& a, std::span<const PicturePtr> ofA, const Layer& b,
                 std::span<const PicturePtr> ofB) {
  return a.kind == b.kind && a.toCanvas == b.toCanvas && a.opacity == b.opacity && a.fill == b.fill &&
         a.crop == b.crop && a.window == b.window && a.bars == b.bars &&
         frameAt(a.picture, ofA) == frameAt(b.picture, ofB) && isSameEffects(a.effects, b.effects) &&
         frameAt(maskOf(a), ofA) == frameAt(maskOf(b), ofB) && a.style == b.style &&
         a.progress == b.progress && isSameList(a.from, ofA, b.from, ofB) && isSameList(a.to, ofA, b.to, ofB);
}

std::vector<PixelRect> changedRects(const ListedLayers& from, const ListedLayers& to,
                                    const CanvasSize& canvas) {
  RectList rects;
  addDifferences(rects, from, to, canvas);
  if (rects.rects().empty()) return {};
  if (hasTransition(to, canvas)) return {canvas.pixels()};
  while (widenToBlends(rects, to.list, canvas)) {
  }
  if (rects.area() > kMostOfCanvas * canvas.pixels().area()) return {canvas.pixels()};
  return rects.take();
}

}  // namespace framewright
