#include <algorithm>
#include <cmath>
#include <string>

#include "compositor/cpu/pixel_rect.h"
#include "compositor/cpu/placed_layer.h"
#include "compositor/vulkan/frame_planner.h"

// Layers that have effects: drawn apart first, where the effects change the picture one after another, then
// over the frame. Mirrors cpu/effects/draw_layer.cc.
namespace framewright::gpu {
namespace {

bool onlyReveals(const LayerEffects& effects) {
  return !effects.correction && !effects.chromaKey && effects.cornerRadius == 0 && effects.mask < 0 &&
         effects.blur == 0 && effects.blend == BlendMode::kNormal;
}

}  // namespace

Status FramePlanner::planEffects(const Layer& layer, const Rect& canvasWindow, double opacity, Stack& stack) {
  const LayerEffects& effects = *layer.effects;
  const bool upright = effects.box.isAxisAligned();
  Rect window = canvasWindow;
  // An upright reveal is a window.
  if (cutsAtAll(effects) && upright) window = intersection(window, drawnRect(revealedBox(effects)));
  if (window.width <= 0 || window.height <= 0) return {};
  if (upright && onlyReveals(effects)) return addContent(layer, {layer.toCanvas, window, opacity}, stack);
  // What is blurred from outside the window is needed too; chroma of a blend reaches two pixels.
  const double reach = std::ceil(kBlurReach * effects.blur) + 2;
  const Rect drawn = intersection(grown(boundsOf(layer.toCanvas), reach), grown(window, reach));
  if (drawn.width <= 0 || drawn.height <= 0) return {};
  const PixelRect pixels = evenPixels(drawn);
  FW_ASSIGN_OR_RETURN(const DeviceSurface surface, scratch(pixels.width(), pixels.height(), true));
  FW_RETURN_IF_ERROR(drawApart(layer, surface, pixels.left, pixels.top));
  if (effects.blend != BlendMode::kNormal) {
    flush(stack);
    return EffectPasses(pool_, *plan_, *records_)
        .blend(*stack.target, surface, pixels.left, pixels.top, window, opacity, effects.blend);
  }
  const uint32_t source = sourceIn(stack, surface.buffer.get());
  addRecords(stack, [&](uint32_t record, PlaneGroup group) {
    return records_->writeSurface(record, group, stack.target->layout.size(), surface.layout, source,
                                  pixels.left, pixels.top, window, opacity);
  });
  return {};
}

Status FramePlanner::drawApart(const Layer& layer, const DeviceSurface& surface, int x, int y) {
  const LayerEffects& effects = *layer.effects;
  const Affine fromCanvas = translation(-x, -y);
  const Rect everything = surface.layout.size().rect();
  EffectPasses passes(pool_, *plan_, *records_);
  Stack apart{&surface};
  const bool rounded = effects.cornerRadius > 0;
  FW_RETURN_IF_ERROR(addContent(layer, {fromCanvas * layer.toCanvas, everything, 1, rounded}, apart));
  flush(apart);
  if (effects.correction) passes.correct(surface, *effects.correction);
  if (effects.chromaKey) FW_RETURN_IF_ERROR(passes.key(surface, *effects.chromaKey));
  if (rounded) {
    FW_RETURN_IF_ERROR(passes.cutShape(surface, fromCanvas * effects.box, effects.boxWidth, effects.boxHeight,
                                       effects.cornerRadius));
  }
  if (effects.mask >= 0) {
    const DevicePicture* const mask = frameAt(effects.mask);
    if (mask == nullptr) {
      return Error{ErrorCode::UNEXPECTED, "A layer has no picture.",
                   "picture " + std::to_string(effects.mask)};
    }
    FW_ASSIGN_OR_RETURN(const DeviceSurface drawn,
                        scratch(surface.layout.width, surface.layout.height, true));
    Stack masking{&drawn};
    const Rect whole{0, 0, mask->width() * 1.0, mask->height() * 1.0};
    // The box's own edges are the layer's; the mask's must not thin them out a second time.
    FW_RETURN_IF_ERROR(
        addPicture(effects.mask, whole, {fromCanvas * effects.maskBox, everything, 1, true}, masking));
    flush(masking);
    FW_RETURN_IF_ERROR(passes.cutMask(surface, drawn));
  }
  if (effects.blur > 0) FW_RETURN_IF_ERROR(passes.blur(surface, effects.blur));
  if (cutsAtAll(effects) && !effects.box.isAxisAligned())
    FW_RETURN_IF_ERROR(passes.cutShape(surface, fromCanvas * revealedBox(effects), 1, 1, 0));
  return {};
}

}  // namespace framewright::gpu
