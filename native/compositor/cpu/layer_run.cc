#include "compositor/cpu/layer_run.h"

#include <algorithm>

#include "core/stopwatch.h"

namespace framewright {
namespace {

// Band size: a band with chroma and a layer's samples fits a core's cache.
constexpr int kBandSamples = 1 << 17;
constexpr int kMinRows = 16;

int bandRows(int width) { return std::max(kMinRows, kBandSamples / std::max(1, width) / 2 * 2); }

}  // namespace

void LayerRun::add(const LayerContent& content, const LayerPlacement& placed, const CanvasSize& canvas,
                   const PixelRect& part) {
  const PixelRect seen = intersection(placed.extent, part);
  if (seen.empty()) return;
  if (members_.size() == count_) members_.emplace_back();
  Member& member = members_[count_++];
  const Layer& layer = content.layer;
  const ContentPlacement placement{layer.toCanvas, placed.window, placed.opacity, false, part};
  member.isFill = layer.kind == Layer::Kind::kFill;
  member.layerImage = member.isFill ? LayerTimes::kNoImage : layer.image;
  member.extent = seen;
  member.hidden = opaqueRect(layer, placed, content.image != nullptr && content.image->isOpaque(), canvas);
  if (member.isFill) {
    member.fill.begin(canvas, layer.fill, fillPlacement(placement));
  } else {
    member.image.begin(canvas, *content.image, imagePlacement(content, placement));
  }
}

void LayerRun::flush(const Surface& to, const PixelRect& part) {
  const int step = count_ > 1 ? bandRows(part.width()) : part.height();
  for (int top = part.top; count_ > 0 && top < part.bottom; top += step) {
    drawBand(to, {part.left, top, part.right, std::min(top + step, part.bottom)});
  }
  count_ = 0;
}

void LayerRun::drawBand(const Surface& to, const PixelRect& band) {
  size_t first = count_;
  while (first > 0 && !covers(members_[first - 1].hidden, band)) --first;
  for (size_t i = first > 0 ? first - 1 : 0; i < count_; ++i) {
    Member& member = members_[i];
    const int top = std::max(band.top, member.extent.top),
              bottom = std::min(band.bottom, member.extent.bottom);
    if (top >= bottom) continue;
    const Stopwatch watch(times_.of(member.layerImage));
    if (member.isFill) {
      member.fill.drawRows(to, top, bottom);
    } else {
      member.image.drawRows(to, top, bottom);
    }
  }
}

}  // namespace framewright
