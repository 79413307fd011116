#include "compositor/plan/group_layers.h"
#include "compositor/vulkan/passes/frame_planner.h"

// Layers with effects: drawn to an offscreen surface, effects applied in order, then composited over the
// frame. The order of effects is that of cpu/effects/effect_drawer.cc.
namespace framewright::gpu {

Status FramePlanner::planOffscreen(const Layer& layer, const LayerPlacement& placement, Stack& stack) {
  const LayerEffects& effects = *layer.effects;
  const PixelRect &pixels = placement.buffer, &flat = effects.projection ? placement.flat : pixels;
  FW_ASSIGN_OR_RETURN(DeviceSurface surface, scratch(flat.width(), flat.height(), true));
  const int outerEdge = records_->leftEdge();
  records_->setLeftEdge(std::max(0, outerEdge - flat.left));
  const Status drawn = drawOffscreen(layer, surface, flat.left, flat.top);
  records_->setLeftEdge(outerEdge);
  FW_RETURN_IF_ERROR(drawn);
  if (!effects.motion.empty()) {
    const DeviceSurface still = surface;
    FW_ASSIGN_OR_RETURN(surface, scratch(flat.width(), flat.height(), true));
    EffectPasses(pool_, *plan_, *records_)
        .blurMotion(surface, still, effects.motion, translation(-flat.left, -flat.top));
  }
  if (effects.projection) {
    const DeviceSurface before = surface;
    FW_ASSIGN_OR_RETURN(surface, scratch(pixels.width(), pixels.height(), true));
    EffectPasses(pool_, *plan_, *records_).project(surface, pixels, before, flat, *effects.projection);
  }
  if (!effects.shadows.empty()) {
    FW_RETURN_IF_ERROR(format_.isDeep()
                           ? deepEffects().dropShadows(surface, effects.shadows)
                           : EffectPasses(pool_, *plan_, *records_).dropShadows(surface, effects.shadows));
  }
  if (effects.finish.grain > 0) {
    FW_ASSIGN_OR_RETURN(const vulkan::Buffer* const tile, grain_.require(effects.grainSize, *plan_));
    EffectPasses(pool_, *plan_, *records_).addGrain(surface, *tile, effects, pixels.left, pixels.top);
  }
  if (effects.blend != BlendMode::kNormal && format_.isDeep())
    return blendDeep(layer, placement, surface, stack);
  if (effects.blend != BlendMode::kNormal) {
    flush(stack);
    return EffectPasses(pool_, *plan_, *records_)
        .blend(*stack.target, surface, pixels.left, pixels.top, placement.window, placement.opacity,
               effects.blend);
  }
  const uint32_t source = sourceIn(stack, surface.buffer.get());
  addRecords(stack, [&](uint32_t record, PlaneGroup group) {
    return records_->writeSurface(record, group, stack.target->layout.size(), surface.layout, source,
                                  pixels.left, pixels.top, placement.window, placement.opacity);
  });
  return {};
}

Status FramePlanner::blendDeep(const Layer& layer, const LayerPlacement& placement,
                               const DeviceSurface& surface, Stack& stack) {
  const PixelRect& pixels = placement.buffer;
  const CanvasSize canvas = stack.target->layout.size();
  flush(stack);
  FW_ASSIGN_OR_RETURN(const DeviceSurface overlay, scratch(pixels.width(), pixels.height(), true));
  if (!deepEffects().blend(overlay, *stack.target, surface, pixels.left, pixels.top, placement.window,
                           placement.opacity, layer.effects->blend))
    return {};
  // The window is in the overlay.
  const uint32_t source = sourceIn(stack, overlay.buffer.get());
  addRecords(stack, [&](uint32_t record, PlaneGroup group) {
    return records_->writeSurface(record, group, canvas, overlay.layout, source, pixels.left, pixels.top,
                                  canvas.rect(), 1);
  });
  return {};
}

Status FramePlanner::drawOffscreen(const Layer& layer, const DeviceSurface& surface, int x, int y) {
  const LayerEffects& effects = *layer.effects;
  const Affine fromCanvas = translation(-x, -y);
  const Rect everything = surface.layout.size().rect();
  EffectPasses passes(pool_, *plan_, *records_);
  Stack apart{&surface};
  const bool rounded = effects.cornerRadius > 0;
  if (layer.kind == Layer::Kind::kGroup) {
    for (const Layer& member : layersOnSurface(layer.group, x, y))
      FW_RETURN_IF_ERROR(planLayer(member, apart));
  } else {
    FW_RETURN_IF_ERROR(addContent(layer, {fromCanvas * layer.toCanvas, everything, 1, rounded}, apart));
  }
  flush(apart);
  if (effects.correction) {
    if (format_.isDeep()) {
      deepEffects().correct(surface, *effects.correction);
    } else {
      passes.correct(surface, *effects.correction);
    }
  }
  if (effects.chromaKey) FW_RETURN_IF_ERROR(passes.key(surface, *effects.chromaKey));
  if (effects.grade >= 0) {
    if (imageAt(effects.grade) == nullptr) return missingImage(effects.grade);
    const auto table =
        std::static_pointer_cast<const DeviceImage>(images_[static_cast<size_t>(effects.grade)]);
    FW_RETURN_IF_ERROR(residents_.require(table, 1, *plan_));
    FW_RETURN_IF_ERROR(passes.grade(surface, *table));
  }
  if (effects.finish.sharpen > 0) FW_RETURN_IF_ERROR(passes.sharpen(surface, effects.finish.sharpen));
  if (effects.finish.vignette)
    passes.darkenCorners(surface, *effects.finish.vignette, fromCanvas * effects.vignetteBox);
  if (rounded) {
    FW_RETURN_IF_ERROR(passes.cutShape(surface, fromCanvas * effects.box, effects.boxWidth, effects.boxHeight,
                                       effects.cornerRadius));
  }
  if (effects.mask >= 0) {
    const DeviceImage* const mask = imageAt(effects.mask);
    if (mask == nullptr) return missingImage(effects.mask);
    FW_ASSIGN_OR_RETURN(const DeviceSurface drawn,
                        scratch(surface.layout.width, surface.layout.height, true));
    Stack masking{&drawn};
    const Rect whole{0, 0, mask->width() * 1.0, mask->height() * 1.0};
    // Edges are extended: the mask's soft edges would attenuate the layer's edges a second time.
    FW_RETURN_IF_ERROR(
        addImage(effects.mask, whole, {fromCanvas * effects.maskBox, everything, 1, true}, masking));
    flush(masking);
    FW_RETURN_IF_ERROR(passes.cutMask(surface, drawn));
  }
  if (effects.blur > 0) {
    FW_RETURN_IF_ERROR(format_.isDeep() ? deepEffects().blur(surface, effects.blur)
                                        : passes.blur(surface, effects.blur));
  }
  if (cutsRevealed(effects))
    FW_RETURN_IF_ERROR(passes.cutShape(surface, fromCanvas * revealedBox(effects), 1, 1, 0));
  if (effects.cut) FW_RETURN_IF_ERROR(passes.cutShape(surface, fromCanvas * *effects.cut, 1, 1, 0));
  return {};
}

}  // namespace framewright::gpu
