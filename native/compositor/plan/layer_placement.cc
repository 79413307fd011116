#include "compositor/plan/layer_placement.h"

#include <cmath>
#include <string>

namespace framewright {
namespace {

// Above this opacity no 8-bit sample below is visible.
constexpr double kMinOpaque = 1 - 1.0 / 1024;
constexpr double kFarBoxes = 4096;     // extension of a box beyond sides that hide nothing
constexpr double kMaxBeyond = 3000;    // pixels around the window from which motion blur draws
constexpr double kMaxFlatSide = 8192;  // pixels of a surface before its projection
constexpr double kSoftEdgePixels = 3;  // margin around a rotated layer, including chroma

bool hidesPart(const LayerEffects& effects) { return effects.revealed != Rect{0, 0, 1, 1}; }

// Whether the effects only hide a part of the box.
bool onlyReveals(const LayerEffects& effects) {
  return !effects.correction && !effects.chromaKey && effects.grade < 0 && effects.finish == Finish{} &&
         effects.cornerRadius == 0 && effects.mask < 0 && effects.blur == 0 && effects.motion.empty() &&
         effects.shadows.empty() && !effects.cut && !effects.projection &&
         effects.blend == BlendMode::kNormal;
}

// Whether opaque content stays opaque under the effects.
bool keepsOpaque(const LayerEffects& effects) {
  LayerEffects others = effects;
  others.correction.reset();
  others.grade = -1;
  others.finish = {};
  others.vignetteBox = {};
  others.grainSize = 1;
  others.grainSeed = 0;
  return others ==
         LayerEffects{.box = effects.box, .boxWidth = effects.boxWidth, .boxHeight = effects.boxHeight};
}

PixelRect inCanvas(const Rect& rect, const CanvasSize& canvas) {
  return intersection(evenPixels(rect), canvas.pixels());
}

// At most kMaxFlatSide, about the middle.
Rect limited(const Rect& rect) {
  const double width = std::min(rect.width, kMaxFlatSide), height = std::min(rect.height, kMaxFlatSide);
  return {rect.x + (rect.width - width) / 2, rect.y + (rect.height - height) / 2, width, height};
}

// `content`: before the projection; `seen`: canvas pixels whose content is visible.
void placeProjected(LayerPlacement& placement, const LayerEffects& effects, const Rect& content,
                    const Rect& seen) {
  constexpr double kMargin = 2;  // bilinear samples, and those of chroma
  const ProjectedArea area = projectArea(*effects.projection, content, grown(seen, kMargin));
  if (area.isEmpty) return;
  placement.flat = evenPixels(limited(grown(area.from, kMargin)));
  placement.buffer = evenPixels(withShadows(effects.shadows, grown(area.to, kMargin)));
}

void placeOffscreen(LayerPlacement& placement, const Layer& layer, const CanvasSize& canvas) {
  const LayerEffects& effects = *layer.effects;
  placement.method = LayerPlacement::Method::kOffscreen;
  // Blur reads content outside the window; chroma of blend modes reads two more pixels.
  const double blurred = std::ceil(kBlurReach * effects.blur) + 2;
  const Rect content = grown(boundsOf(layer.toCanvas), blurred);
  const double moved = std::ceil(motionReach(effects, content));
  // What moves into the window: of a large layer little.
  const Rect seen = grown(placement.window, blurred);
  const double movesIn = std::min({moved, std::ceil(motionReachInto(effects, seen)), kMaxBeyond});
  if (effects.projection) {
    placeProjected(placement, effects, grown(content, moved), castersOf(effects.shadows, placement.window));
    if (placement.buffer.empty()) return;
  } else {
    const Rect drawn = intersection(withShadows(effects.shadows, grown(content, moved)),
                                    castersOf(effects.shadows, grown(seen, movesIn)));
    if (drawn.width <= 0 || drawn.height <= 0) return;
    placement.buffer = evenPixels(drawn);
  }
  placement.extent = intersection(placement.buffer, canvas.pixels());
  if (effects.blend == BlendMode::kNormal) {
    placement.extent = intersection(placement.extent, evenPixels(placement.window));
  }
}

}  // namespace

Affine revealedBox(const LayerEffects& effects) {
  constexpr double kTolerance = 1e-9;
  const Rect& part = effects.revealed;
  const double left = part.x > kTolerance ? part.x : -kFarBoxes,
               top = part.y > kTolerance ? part.y : -kFarBoxes;
  const double right = part.right() < 1 - kTolerance ? part.right() : kFarBoxes;
  const double bottom = part.bottom() < 1 - kTolerance ? part.bottom() : kFarBoxes;
  return effects.box * Affine{right - left, 0, left, 0, bottom - top, top};
}

bool cutsRevealed(const LayerEffects& effects) {
  // Nothing that follows a window may leave its place, or reach beyond it.
  const bool stays = effects.motion.empty() && !effects.projection && effects.shadows.empty();
  return hidesPart(effects) && !(effects.box.isAxisAligned() && stays);
}

LayerPlacement placeLayer(const Layer& layer, const CanvasSize& canvas) {
  LayerPlacement placement;
  placement.window = layer.window ? intersection(*layer.window, canvas.rect()) : canvas.rect();
  placement.opacity = layer.opacity >= kMinOpaque ? 1 : layer.opacity;
  if (layer.kind == Layer::Kind::kTransition) {
    placement.method = LayerPlacement::Method::kTransition;
    placement.extent = canvas.pixels();
    return placement;
  }
  const LayerEffects* const effects = layer.effects ? &*layer.effects : nullptr;
  // An axis-aligned reveal is equivalent to a window.
  if (effects != nullptr && hidesPart(*effects) && !cutsRevealed(*effects)) {
    placement.window = intersection(placement.window, axisAlignedRect(revealedBox(*effects)));
  }
  if (placement.window.width <= 0 || placement.window.height <= 0) return placement;
  const bool isGroup = layer.kind == Layer::Kind::kGroup;
  if (isGroup || (effects != nullptr && !(effects->box.isAxisAligned() && onlyReveals(*effects)))) {
    placeOffscreen(placement, layer, canvas);
    return placement;
  }
  const bool hasHardEdges = layer.toCanvas.isAxisAligned() && layer.kind != Layer::Kind::kWaveform;
  const Rect drawn = grown(boundsOf(layer.toCanvas), hasHardEdges ? 0 : kSoftEdgePixels);
  placement.extent = intersection(inCanvas(drawn, canvas), evenPixels(placement.window));
  return placement;
}

Rect opaqueRect(const Layer& layer, const LayerPlacement& placement, bool hasOpaqueImage,
                const CanvasSize& canvas) {
  if (placement.method == LayerPlacement::Method::kTransition) return canvas.rect();
  if (placement.opacity < 1 || !layer.toCanvas.isAxisAligned() || placement.extent.empty()) return {};
  if (placement.method == LayerPlacement::Method::kOffscreen && !keepsOpaque(*layer.effects)) return {};
  const bool isOpaque = (layer.kind == Layer::Kind::kFill && layer.fill.a == 255) ||
                        (layer.kind == Layer::Kind::kImage && hasOpaqueImage);
  if (!isOpaque) return {};
  const Rect area = intersection(axisAlignedRect(layer.toCanvas), placement.window);
  if (placement.method != LayerPlacement::Method::kOffscreen) return area;
  // The surface extends beyond the edge of an odd canvas, where it is transparent: half of the last chroma
  // sample.
  const double width = canvas.width / 2 * 2, height = canvas.height / 2 * 2;
  return intersection(area, {0, 0, width, height});
}

bool covers(const Rect& area, const PixelRect& pixels) {
  constexpr double kTolerance = 1.0 / 1024;  // pixels; closer edges count as being on the pixel border
  return area.x <= pixels.left + kTolerance && area.y <= pixels.top + kTolerance &&
         area.right() >= pixels.right - kTolerance && area.bottom() >= pixels.bottom - kTolerance;
}

std::optional<size_t> lowestVisibleLayer(const DrawList& list, const CanvasSize& canvas,
                                         const PixelRect& part, const std::function<bool(int)>& isOpaque) {
  for (size_t i = list.layers.size(); i > 0; --i) {
    const Layer& layer = list.layers[i - 1];
    const bool hasOpaqueImage = layer.kind == Layer::Kind::kImage && isOpaque(layer.image);
    if (covers(opaqueRect(layer, placeLayer(layer, canvas), hasOpaqueImage, canvas), part)) return i - 1;
  }
  return std::nullopt;
}

std::optional<size_t> imageShownAlone(const DrawList& list, const CanvasSize& canvas) {
  constexpr double kTolerance = 1e-6;  // canvas pixels
  if (list.layers.empty()) return std::nullopt;
  const Layer& layer = list.layers.back();
  if (layer.kind != Layer::Kind::kImage || layer.image < 0 || layer.effects || layer.opacity < 1 ||
      layer.crop != Rect{0, 0, 1, 1} || (layer.window && !covers(*layer.window, canvas.pixels())))
    return std::nullopt;
  const Affine& own = layer.toCanvas;
  const double deviations[] = {own.xx - canvas.width, own.xy, own.dx, own.yx, own.yy - canvas.height, own.dy};
  for (const double deviation : deviations)
    if (std::abs(deviation) > kTolerance) return std::nullopt;
  return static_cast<size_t>(layer.image);
}

bool isComposedFrame(const Image& image, PixelFormat format, const CanvasSize& canvas) {
  return image.format() == format && image.width() == canvas.width && image.height() == canvas.height &&
         image.siting == ChromaSiting::kLeft && image.deviceMemory() == nullptr;
}

Error missingImage(int image) {
  return {ErrorCode::UNEXPECTED, "A layer refers to an image that was not given.",
          "image " + std::to_string(image)};
}

}  // namespace framewright
