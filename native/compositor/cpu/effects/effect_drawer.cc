#include "compositor/cpu/effects/effect_drawer.h"

#include <algorithm>

#include "compositor/cpu/layers/composite_row.h"
#include "compositor/plan/effects/correction_curves.h"

namespace framewright {
namespace {

void applyCurve(const Plane& plane, const Plane& alphas, const Curve8& curve) {
  for (int y = 0; y < plane.height; ++y) {
    uint8_t* const row = plane.data + y * plane.stride;
    const uint8_t* const alpha = alphas.data + y * alphas.stride;
    for (int x = 0; x < plane.width; ++x) {
      const unsigned a = alpha[x];
      if (a == 255) {
        row[x] = curve[row[x]];
      } else if (a != 0) {
        const unsigned straight = std::min(255u, (row[x] * 255u + a / 2) / a);
        row[x] = static_cast<uint8_t>((curve[straight] * a + 127) / 255);
      }
    }
  }
}

// Corrects the colours of a surface with alpha, with the results of FFmpeg's eq filter, on straight
// limited-range samples.
void correctColors(const Surface& surface, const Correction& correction) {
  const ImagePlanes& planes = surface.planes;
  if (changesLuma(correction)) applyCurve(planes.y, planes.alpha, lumaCurve(correction));
  if (correction.saturation == 1) return;
  const Curve8 curve = chromaCurve(correction);
  applyCurve(planes.u, planes.chromaAlpha, curve);
  applyCurve(planes.v, planes.chromaAlpha, curve);
}

}  // namespace

Status EffectDrawer::draw(Image& frame, const LayerContent& content, const EffectInputs& images,
                          const LayerPlacement& placed, const PixelRect& part) {
  const LayerEffects& effects = *content.layer.effects;
  LayerBuffer* drawn = drawn_.find(content.layer, images, placed.buffer);
  if (drawn == nullptr) {
    drawn = &drawn_.placeFor(content.layer, images, placed.buffer, scratch_);
    const Status status = drawOffscreen(*drawn, content, images, placed);
    if (!status.ok()) {
      drawn_.clear();
      return status;
    }
  }
  if (effects.blend == BlendMode::kNormal) {
    stack(frame, *drawn, placed, part);
  } else {
    blender_.blend(frame, *drawn, placed.window, placed.opacity, effects.blend);
  }
  return {};
}

Status EffectDrawer::drawOffscreen(LayerBuffer& buffer, const LayerContent& content,
                                   const EffectInputs& images, const LayerPlacement& placed) {
  const LayerEffects& effects = *content.layer.effects;
  FW_RETURN_IF_ERROR(buffer.begin(placed.buffer.left, placed.buffer.top, placed.buffer.width(),
                                  placed.buffer.height(), isDithered_));
  const Surface& surface = buffer.surface();
  const bool rounded = effects.cornerRadius > 0;
  contents_.draw(surface, content, {buffer.fromCanvas() * content.layer.toCanvas, buffer.rect(), 1, rounded});

  if (effects.correction) correctColors(surface, *effects.correction);
  if (effects.chromaKey) keyer_.apply(surface, *effects.chromaKey);
  if (images.grade != nullptr) grader_.apply(surface, static_cast<const PlanarImage&>(*images.grade));
  if (effects.finish.sharpen > 0) finish_.sharpen(surface, effects.finish.sharpen);
  if (effects.finish.vignette)
    finish_.darkenCorners(surface, *effects.finish.vignette, buffer.fromCanvas() * effects.vignetteBox);
  if (rounded) {
    shape_.begin(surface.size(), buffer.fromCanvas() * effects.box, effects.boxWidth, effects.boxHeight,
                 effects.cornerRadius);
    eraseRows(surface, rows_, [&](int y, uint16_t* hidden) { return shape_.fillHidden(y, hidden); });
  }
  if (images.mask != nullptr) {
    FW_RETURN_IF_ERROR(mask_.apply(buffer, static_cast<const PlanarImage&>(*images.mask), effects.maskBox,
                                   contents_.images()));
  }
  if (effects.blur > 0) blur_.apply(surface, effects.blur);
  if (cutsRevealed(effects)) cutBox(buffer, revealedBox(effects));
  if (effects.cut) cutBox(buffer, *effects.cut);
  if (!effects.motion.empty()) motionBlur_.apply(buffer, effects.motion);
  if (!effects.shadows.empty()) shadows_.apply(surface, effects.shadows, blur_);
  if (effects.finish.grain > 0) finish_.addGrain(buffer, effects);
  return {};
}

void EffectDrawer::cutBox(const LayerBuffer& buffer, const Affine& box) {
  shape_.begin(buffer.surface().size(), buffer.fromCanvas() * box, 1, 1, 0);
  eraseRows(buffer.surface(), rows_, [&](int y, uint16_t* hidden) { return shape_.fillHidden(y, hidden); });
}

void EffectDrawer::stack(Image& frame, const LayerBuffer& buffer, const LayerPlacement& placed,
                         const PixelRect& part) {
  const Surface& from = buffer.surface();
  const Surface to = surfaceOf(frame, isDithered_);
  for (const PlaneGroup group : {PlaneGroup::kLuma, PlaneGroup::kChroma}) {
    coverage_.cover(intersection(placed.window, placed.buffer.rect()), to.size(), group);
    coverage_.trim(part, group);
    if (coverage_.empty()) continue;
    const int shift = group == PlaneGroup::kLuma ? 0 : 1;
    const std::array<Plane, 3> source = planesOf(from.planes, group), target = planesOf(to.planes, group);
    const AxisCoverage& rows = coverage_.rows;
    const int left = coverage_.columns.first - (buffer.x() >> shift);
    for (int y = rows.first; y < rows.end; ++y) {
      const uint16_t weight = toWeight(placed.opacity * rows.at(y) / kernels::kFullWeight);
      const int sourceY = y - (buffer.y() >> shift);
      const auto row = [&](int p) {
        const Plane& plane = source[static_cast<size_t>(p)];
        return plane.data + sourceY * plane.stride + left;
      };
      for (int colour = 0; colour < colourPlanes(group); ++colour) {
        const Plane& plane = target[static_cast<size_t>(colour)];
        compositeRow(plane.data + y * plane.stride, row(colour), row(kAlphaPlane), coverage_.columns, weight,
                     to.rounding(y));
      }
    }
  }
}

}  // namespace framewright
