#include "compositor/cpu/placed_layer.h"

#include <cmath>

namespace framewright {
namespace {

// Opacity from which no 8-bit sample of what is below can show through.
constexpr double kOpaque = 1 - 1.0 / 1024;
constexpr double kEndless = 4096;  // boxes beyond a side that cuts nothing
constexpr double kSoftReach = 3;  // pixels around a turned layer that its soft edges touch, chroma's included

// Whether the picture itself stays as it is.
bool onlyReveals(const LayerEffects& effects) {
  return !effects.correction && !effects.chromaKey && effects.cornerRadius == 0 && effects.mask < 0 &&
         effects.blur == 0 && effects.blend == BlendMode::kNormal;
}

// Whether what is opaque stays so.
bool keepsOpaque(const LayerEffects& effects) {
  LayerEffects others = effects;
  others.correction.reset();
  return others ==
         LayerEffects{.box = effects.box, .boxWidth = effects.boxWidth, .boxHeight = effects.boxHeight};
}

PixelRect inCanvas(const Rect& rect, const CanvasSize& canvas) {
  return intersection(evenPixels(rect), canvas.pixels());
}

void placeApart(PlacedLayer& placed, const Layer& layer, const CanvasSize& canvas) {
  const LayerEffects& effects = *layer.effects;
  placed.way = PlacedLayer::Way::kApart;
  // What is blurred from outside the window is needed too; chroma of a blend reaches two pixels.
  const double reach = std::ceil(kBlurReach * effects.blur) + 2;
  const Rect drawn = intersection(grown(boundsOf(layer.toCanvas), reach), grown(placed.window, reach));
  if (drawn.width <= 0 || drawn.height <= 0) return;
  placed.buffer = evenPixels(drawn);
  placed.extent = intersection(placed.buffer, canvas.pixels());
  if (effects.blend == BlendMode::kNormal) {
    placed.extent = intersection(placed.extent, evenPixels(placed.window));
  }
}

}  // namespace

Affine revealedBox(const LayerEffects& effects) {
  constexpr double kSame = 1e-9;
  const Rect& part = effects.revealed;
  const double left = part.x > kSame ? part.x : -kEndless, top = part.y > kSame ? part.y : -kEndless;
  const double right = part.right() < 1 - kSame ? part.right() : kEndless;
  const double bottom = part.bottom() < 1 - kSame ? part.bottom() : kEndless;
  return effects.box * Affine{right - left, 0, left, 0, bottom - top, top};
}

bool cutsAtAll(const LayerEffects& effects) { return effects.revealed != Rect{0, 0, 1, 1}; }

PlacedLayer placeLayer(const Layer& layer, const CanvasSize& canvas) {
  PlacedLayer placed;
  placed.window = layer.window ? intersection(*layer.window, canvas.rect()) : canvas.rect();
  placed.opacity = layer.opacity >= kOpaque ? 1 : layer.opacity;
  if (layer.kind == Layer::Kind::kTransition) {
    placed.way = PlacedLayer::Way::kTransition;
    placed.extent = canvas.pixels();
    return placed;
  }
  const LayerEffects* const effects = layer.effects ? &*layer.effects : nullptr;
  // An upright reveal is a window.
  if (effects != nullptr && cutsAtAll(*effects) && effects->box.isAxisAligned()) {
    placed.window = intersection(placed.window, drawnRect(revealedBox(*effects)));
  }
  if (placed.window.width <= 0 || placed.window.height <= 0) return placed;
  if (effects != nullptr && !(effects->box.isAxisAligned() && onlyReveals(*effects))) {
    placeApart(placed, layer, canvas);
    return placed;
  }
  const bool sharp = layer.toCanvas.isAxisAligned() && layer.kind != Layer::Kind::kWaveform;
  const Rect drawn = grown(boundsOf(layer.toCanvas), sharp ? 0 : kSoftReach);
  placed.extent = intersection(inCanvas(drawn, canvas), evenPixels(placed.window));
  return placed;
}

Rect hiddenUnder(const Layer& layer, const PlacedLayer& placed, bool pictureIsOpaque,
                 const CanvasSize& canvas) {
  if (placed.way == PlacedLayer::Way::kTransition) return canvas.rect();
  if (placed.opacity < 1 || !layer.toCanvas.isAxisAligned() || placed.extent.empty()) return {};
  if (placed.way == PlacedLayer::Way::kApart && !keepsOpaque(*layer.effects)) return {};
  const bool opaque = (layer.kind == Layer::Kind::kFill && layer.fill.a == 255) ||
                      (layer.kind == Layer::Kind::kPicture && pictureIsOpaque);
  if (!opaque) return {};
  const Rect hidden = intersection(drawnRect(layer.toCanvas), placed.window);
  if (placed.way != PlacedLayer::Way::kApart) return hidden;
  // A picture of its own goes on beyond an odd canvas's edge, transparent: half of the last chroma sample.
  const double width = canvas.width / 2 * 2, height = canvas.height / 2 * 2;
  return intersection(hidden, {0, 0, width, height});
}

bool covers(const Rect& hidden, const PixelRect& pixels) {
  constexpr double kTolerance = 1.0 / 1024;  // nearer edges lie on the border between the pixels
  return hidden.x <= pixels.left + kTolerance && hidden.y <= pixels.top + kTolerance &&
         hidden.right() >= pixels.right - kTolerance && hidden.bottom() >= pixels.bottom - kTolerance;
}

}  // namespace framewright
