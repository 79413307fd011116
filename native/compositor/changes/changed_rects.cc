#include "compositor/changes/changed_rects.h"

#include <algorithm>

namespace framewright {
namespace {

using IsOpaque = bool (*)(const PreparedImage&);

constexpr size_t kMaxRects = 6;
constexpr double kMaxWaste = 1.25;        // two rectangles are merged up to this growth of their total area
constexpr double kSmallArea = 64 * 64;    // area in pixels below which rectangles are merged anyway
constexpr double kMaxChangedShare = 0.8;  // share of the canvas above which all of it is redrawn

// Null when there is no image at `index`.
const PreparedImage* preparedAt(int index, std::span<const PreparedImagePtr> images) {
  if (index < 0 || static_cast<size_t>(index) >= images.size()) return nullptr;
  return images[static_cast<size_t>(index)].get();
}

size_t lowestSeen(const ListedLayers& layers, const CanvasSize& canvas, IsOpaque isOpaque) {
  const auto lowest = lowestVisibleLayer(layers.list, canvas, canvas.pixels(), [&](int index) {
    const PreparedImage* const image = preparedAt(index, layers.images);
    return image != nullptr && isOpaque(*image);
  });
  return lowest.value_or(0);
}

bool isSameList(const std::shared_ptr<const DrawList>& a, std::span<const PreparedImagePtr> ofA,
                const std::shared_ptr<const DrawList>& b, std::span<const PreparedImagePtr> ofB) {
  if (a == nullptr || b == nullptr) return a == b;
  return std::equal(
      a->layers.begin(), a->layers.end(), b->layers.begin(), b->layers.end(),
      [&](const Layer& layer, const Layer& other) { return isSameLayer(layer, ofA, other, ofB); });
}

// Compares everything but the indices of images.
bool isSameEffects(const std::optional<LayerEffects>& a, const std::optional<LayerEffects>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  if ((a->mask < 0) != (b->mask < 0) || (a->grade < 0) != (b->grade < 0)) return false;
  if (a->mask == b->mask && a->grade == b->grade) return *a == *b;
  LayerEffects other = *b;
  other.mask = a->mask;
  other.grade = a->grade;
  return *a == other;
}

int maskOf(const Layer& layer) { return layer.effects ? layer.effects->mask : -1; }
int gradeOf(const Layer& layer) { return layer.effects ? layer.effects->grade : -1; }

class RectList {
 public:
  void add(PixelRect rect) {
    if (rect.empty()) return;
    // Merging repeats, since a merged rectangle may be merged again.
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
    if (rects_.size() > kMaxRects) joinCheapest();
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
    return bounding(a, b).area() <= kMaxWaste * (a.area() + b.area()) + kSmallArea;
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

// Layers common to both lists, in the same order, change nothing; the extents of all others are added.
void addDifferences(RectList& rects, const ListedLayers& from, const ListedLayers& to,
                    const CanvasSize& canvas, IsOpaque isOpaque) {
  const std::vector<Layer>&old = from.list.layers, &next = to.list.layers;
  const auto changed = [&](const Layer& layer) { rects.add(placeLayer(layer, canvas).extent); };
  size_t seen = lowestSeen(from, canvas, isOpaque);
  for (size_t i = lowestSeen(to, canvas, isOpaque); i < next.size(); ++i) {
    const Layer& layer = next[i];
    size_t match = seen;
    while (match < old.size() && !isSameLayer(old[match], from.images, layer, to.images)) ++match;
    if (match == old.size()) {
      changed(layer);
      continue;
    }
    for (; seen < match; ++seen) changed(old[seen]);
    ++seen;
  }
  for (; seen < old.size(); ++seen) changed(old[seen]);
}

// How far away from a pixel the backdrop is that a blend mode reads for it.
constexpr int kBackdropReach = 2;

// Such layers are drawn completely or not at all.
bool widenToBlends(RectList& rects, const DrawList& list, const CanvasSize& canvas) {
  for (const Layer& layer : list.layers) {
    if (!layer.effects || layer.effects->blend == BlendMode::kNormal) continue;
    const PixelRect extent = placeLayer(layer, canvas).extent;
    for (const PixelRect& rect : rects.rects()) {
      const PixelRect near{rect.left - kBackdropReach, rect.top - kBackdropReach, rect.right + kBackdropReach,
                           rect.bottom + kBackdropReach};
      if (intersection(near, extent).empty() || bounding(rect, extent) == rect) continue;
      rects.add(bounding(rect, extent));
      return true;
    }
  }
  return false;
}

// Whether a visible layer is a transition; transitions are always drawn completely.
bool hasTransition(const ListedLayers& layers, const CanvasSize& canvas, IsOpaque isOpaque) {
  const std::vector<Layer>& all = layers.list.layers;
  const size_t lowest = lowestSeen(layers, canvas, isOpaque);
  return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(std::min(lowest, all.size())), all.end(),
                     [](const Layer& layer) { return layer.kind == Layer::Kind::kTransition; });
}

}  // namespace

bool isSameLayer(const Layer& a, std::span<const PreparedImagePtr> ofA, const Layer& b,
                 std::span<const PreparedImagePtr> ofB) {
  return a.kind == b.kind && a.toCanvas == b.toCanvas && a.opacity == b.opacity && a.fill == b.fill &&
         a.crop == b.crop && a.window == b.window && a.bars == b.bars && a.waveform == b.waveform &&
         preparedAt(a.image, ofA) == preparedAt(b.image, ofB) && isSameEffects(a.effects, b.effects) &&
         preparedAt(maskOf(a), ofA) == preparedAt(maskOf(b), ofB) &&
         preparedAt(gradeOf(a), ofA) == preparedAt(gradeOf(b), ofB) && a.style == b.style &&
         a.progress == b.progress && a.wipe == b.wipe && isSameList(a.from, ofA, b.from, ofB) &&
         isSameList(a.to, ofA, b.to, ofB) &&
         std::equal(
             a.group.begin(), a.group.end(), b.group.begin(), b.group.end(),
             [&](const Layer& member, const Layer& other) { return isSameLayer(member, ofA, other, ofB); });
}

std::vector<PixelRect> changedRects(const ListedLayers& from, const ListedLayers& to,
                                    const CanvasSize& canvas, bool (*isOpaque)(const PreparedImage&)) {
  if (from.list.isDithered != to.list.isDithered) return {canvas.pixels()};
  RectList rects;
  addDifferences(rects, from, to, canvas, isOpaque);
  if (rects.rects().empty()) return {};
  if (hasTransition(to, canvas, isOpaque)) return {canvas.pixels()};
  while (widenToBlends(rects, to.list, canvas)) {
  }
  if (rects.area() > kMaxChangedShare * canvas.pixels().area()) return {canvas.pixels()};
  return rects.take();
}

}  // namespace framewright
