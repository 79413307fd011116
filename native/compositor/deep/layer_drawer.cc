#include "compositor/deep/layer_drawer.h"

#include "compositor/deep/blur_image.h"
#include "compositor/deep/draw_shape.h"
#include "compositor/deep/finish_rows.h"
#include "compositor/plan/group_layers.h"

namespace framewright {
namespace {

// Calls change(y, row) for the signals of all rows.
template <class Change>
void changeSignals(FloatImage& image, const CanvasCurves& curves, const Change& change) {
  const auto width = static_cast<size_t>(image.width());
  for (int y = 0; y < image.height(); ++y) {
    curves.toSignals(image.at(0, y), width);
    change(y, image.at(0, y));
    curves.fromSignals(image.at(0, y), width);
  }
}

}  // namespace

Result<const DeepImage*> deepImageAt(int index, std::span<const PreparedImagePtr> images) {
  if (index < 0 || static_cast<size_t>(index) >= images.size() ||
      images[static_cast<size_t>(index)] == nullptr)
    return missingImage(index);
  return static_cast<const DeepImage*>(images[static_cast<size_t>(index)].get());
}

FloatImage& DeepLayerDrawer::bufferAt(size_t depth) {
  while (buffers_.size() <= depth) buffers_.emplace_back();
  return buffers_[depth];
}

Status DeepLayerDrawer::draw(FloatImage& to, const Layer& layer, std::span<const PreparedImagePtr> images,
                             size_t depth) {
  const LayerPlacement placed = placeLayer(layer, to.size());
  if (placed.extent.empty()) return {};
  if (placed.method == LayerPlacement::Method::kDirect && !EightBitDrawing::needs(layer))
    return drawContent(to, layer, images, layer.toCanvas, placed.window, placed.opacity, false);
  LayerPlacement offscreen = placed;
  if (placed.method != LayerPlacement::Method::kOffscreen) offscreen.buffer = placed.extent;
  const PixelRect& area = offscreen.buffer;
  FloatImage& buffer = bufferAt(depth);
  FW_RETURN_IF_ERROR(buffer.resize(area.width(), area.height(), true));
  FW_RETURN_IF_ERROR(drawOffscreen(buffer, layer, images, offscreen, depth));
  // Members of a group are laid over each other: there is no backdrop to blend with.
  const bool blends = layer.effects && depth == 0;
  const BlendMode mode = blends ? layer.effects->blend : BlendMode::kNormal;
  blendOver(to, buffer, area.left, area.top, placed.window, placed.opacity, mode);
  return {};
}

Status DeepLayerDrawer::drawContent(FloatImage& to, const Layer& layer,
                                    std::span<const PreparedImagePtr> images, const Affine& toSurface,
                                    const Rect& window, double opacity, bool extendsEdges) {
  if (layer.kind == Layer::Kind::kFill) {
    const Affine shape = extendsEdges ? unitSquareTo(window) : toSurface;
    fillShape(to, curves_.fromSdr(layer.fill), shape, window, static_cast<float>(opacity));
    return {};
  }
  FW_ASSIGN_OR_RETURN(const DeepImage* const image, deepImageAt(layer.image, images));
  const Rect crop{layer.crop.x * image->width(), layer.crop.y * image->height(),
                  layer.crop.width * image->width(), layer.crop.height * image->height()};
  return images_.draw(to, *image, {crop, toSurface, window, opacity, extendsEdges});
}

Status DeepLayerDrawer::drawOffscreen(FloatImage& buffer, const Layer& layer,
                                      std::span<const PreparedImagePtr> images, const LayerPlacement& placed,
                                      size_t depth) {
  buffer.clear();
  if (surfaces_ != nullptr && surfaces_->draws(layer, images))
    return surfaces_->draw(buffer, layer, images, placed, depth);
  const PixelRect& area = placed.buffer;
  const Layer moved = layersOnSurface({layer}, area.left, area.top).front();
  if (EightBitDrawing::needs(layer)) FW_RETURN_IF_ERROR(eightBits_.drawContent(buffer, moved));
  if (!moved.effects) return {};
  const LayerEffects& effects = *moved.effects;
  const bool isRounded = effects.cornerRadius > 0;
  const Rect whole = buffer.size().rect();
  if (moved.kind == Layer::Kind::kGroup) {
    for (const Layer& member : moved.group) FW_RETURN_IF_ERROR(draw(buffer, member, images, depth + 1));
  } else if (!EightBitDrawing::needs(layer)) {
    FW_RETURN_IF_ERROR(drawContent(buffer, moved, images, moved.toCanvas, whole, 1, isRounded));
  }
  const auto width = static_cast<size_t>(buffer.width());
  FinishRows finish;
  finish.begin(effects, area.left, area.top, curves_.color());
  if (effects.correction || finish.hasVignette()) {
    changeSignals(buffer, curves_, [&](int y, const kernels::FloatRow& row) {
      if (effects.correction) correctColors(row, width, *effects.correction, curves_.color());
      if (finish.hasVignette()) finish.darken(y, row, width);
    });
  }
  if (isRounded) {
    keepInside(buffer, BoxWeights(buffer.size(), effects.box, effects.boxWidth, effects.boxHeight,
                                  effects.cornerRadius));
  }
  if (effects.mask >= 0) {
    FW_ASSIGN_OR_RETURN(const DeepImage* const mask, deepImageAt(effects.mask, images));
    FW_RETURN_IF_ERROR(applyMask(buffer, *mask, effects.maskBox, images_));
  }
  if (effects.blur > 0) FW_RETURN_IF_ERROR(blurImage(buffer, effects.blur));
  if (cutsRevealed(effects)) keepInside(buffer, BoxWeights(buffer.size(), revealedBox(effects), 1, 1, 0));
  if (effects.cut) keepInside(buffer, BoxWeights(buffer.size(), *effects.cut, 1, 1, 0));
  FW_RETURN_IF_ERROR(castShadows(buffer, effects.shadows, curves_));
  if (finish.hasGrain()) {
    changeSignals(buffer, curves_,
                  [&](int y, const kernels::FloatRow& row) { finish.addGrain(y, row, width); });
  }
  return {};
}

}  // namespace framewright
