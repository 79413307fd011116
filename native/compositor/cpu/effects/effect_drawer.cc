#include "compositor/cpu/effects/effect_drawer.h"

#include <algorithm>

#include "compositor/cpu/layers/composite_row.h"
#include "compositor/plan/effects/correction_curves.h"
#include "compositor/plan/group_layers.h"
#include "core/planes.h"
#include "kernels/curve.h"

namespace framewright {
namespace {

// Rows that are drawn and then changed while a core's first cache has them.
constexpr int kInFrameRows = 2;

// Corrects colours, with the results of FFmpeg's eq filter, on straight limited-range samples.
class ColorCorrector {
 public:
  explicit ColorCorrector(const Correction& correction) {
    if (changesLuma(correction)) luma_ = {lumaCurve(correction), linearLumaCurve(correction)};
    if (correction.saturation != 1) chroma_ = {chromaCurve(correction), linearChromaCurve(correction)};
  }

  void apply(const Surface& surface) const {
    const ImagePlanes& planes = surface.planes;
    apply(planes.y, planes.alpha, luma_);
    apply(planes.u, planes.chromaAlpha, chroma_);
    apply(planes.v, planes.chromaAlpha, chroma_);
  }

 private:
  // Without values samples stay.
  struct SampleCurve {
    std::optional<Curve8> values;
    std::optional<kernels::LinearCurve> linear;
  };

  static void apply(const Plane& plane, const Plane& alphas, const SampleCurve& curve) {
    if (!curve.values) return;
    const auto width = static_cast<size_t>(plane.width);
    for (int y = 0; y < plane.height; ++y) {
      const uint8_t* const alpha = alphas.data != nullptr ? rowOf(alphas, y) : nullptr;
      if (curve.linear) {
        kernels::linearCurveRow(rowOf(plane, y), alpha, *curve.linear, width);
      } else {
        kernels::curveRow(rowOf(plane, y), alpha, curve.values->data(), width);
      }
    }
  }

  SampleCurve luma_, chroma_;
};

PreparedImagePtr sharedImageAt(int index, std::span<const PreparedImagePtr> images) {
  if (index < 0 || static_cast<size_t>(index) >= images.size()) return nullptr;
  return images[static_cast<size_t>(index)];
}

bool isOpaqueImage(const PreparedImagePtr& image) {
  return image != nullptr && static_cast<const PlanarImage*>(image.get())->isOpaque();
}

const PlanarImage* planarImage(const PreparedImagePtr& image) {
  return static_cast<const PlanarImage*>(image.get());
}

}  // namespace

Result<EffectInputs> inputsOf(const Layer& layer, std::span<const PreparedImagePtr> images) {
  const int mask = layer.effects ? layer.effects->mask : -1,
            grade = layer.effects ? layer.effects->grade : -1;
  EffectInputs inputs{
      sharedImageAt(layer.image, images), sharedImageAt(mask, images), sharedImageAt(grade, images), {}};
  if (layer.kind == Layer::Kind::kImage && inputs.content == nullptr) return missingImage(layer.image);
  if (mask >= 0 && inputs.mask == nullptr) return missingImage(mask);
  if (grade >= 0 && inputs.grade == nullptr) return missingImage(grade);
  for (const Layer& member : layer.group) {
    FW_ASSIGN_OR_RETURN(inputs.members.emplace_back(), inputsOf(member, images));
  }
  return inputs;
}

Status EffectDrawer::draw(Image& frame, const Layer& layer, const EffectInputs& images,
                          const LayerPlacement& placed, const PixelRect& part) {
  const LayerEffects& effects = *layer.effects;
  LayerBuffer* drawn = drawn_.find(layer, images, placed.buffer);
  if (drawn == nullptr) {
    drawn = &drawn_.placeFor(layer, images, placed.buffer, scratch_);
    if (drawn == &scratch_ && replacesFrame(layer, images, placed, {frame.width(), frame.height()}, part)) {
      return drawInFrame(frame, layer, images, placed);
    }
    const Status status = drawOffscreen(*drawn, layer, images, placed, 0);
    if (!status.ok()) {
      drawn_.clear();
      return status;
    }
  }
  if (effects.blend == BlendMode::kNormal) {
    stack(surfaceOf(frame, isDithered_), *drawn, placed, part);
  } else {
    blender_.blend(frame, *drawn, placed.window, placed.opacity, effects.blend);
  }
  return {};
}

// Sharpening reads samples beyond the frame, and a grade works on surfaces with alpha.
bool EffectDrawer::replacesFrame(const Layer& layer, const EffectInputs& images, const LayerPlacement& placed,
                                 const CanvasSize& canvas, const PixelRect& part) {
  const LayerEffects& effects = *layer.effects;
  return effects.finish.sharpen <= 0 && effects.grade < 0 &&
         intersection(placed.extent, part) == placed.extent &&
         covers(opaqueRect(layer, placed, isOpaqueImage(images.content), canvas), placed.extent);
}

Status EffectDrawer::drawInFrame(Image& frame, const Layer& layer, const EffectInputs& images,
                                 const LayerPlacement& placed) {
  const LayerEffects& effects = *layer.effects;
  const Surface target = surfaceOf(frame, isDithered_);
  LayerBuffer buffer;
  buffer.beginInFrame(target, placed.extent, placed.buffer);
  if (layer.kind != Layer::Kind::kImage) {
    FW_RETURN_IF_ERROR(drawFlat(buffer, layer, images, 0));
    if (effects.finish.grain > 0) finish_.addGrain(buffer, effects);
    return {};
  }
  const LayerContent content{layer, planarImage(images.content)};
  ImageDrawer& drawer = contents_.images();
  drawer.begin(buffer.surface().size(), *content.image,
               imagePlacement(content, {buffer.fromCanvas() * layer.toCanvas, buffer.rect()}));
  const std::optional<ColorCorrector> corrector =
      effects.correction ? std::optional<ColorCorrector>(*effects.correction) : std::nullopt;
  if (effects.finish.vignette) finish_.beginVignette(buffer, effects);
  for (PixelRect band = placed.extent; band.top < placed.extent.bottom; band.top = band.bottom) {
    band.bottom = std::min(band.top + kInFrameRows, placed.extent.bottom);
    drawer.drawRows(buffer.surface(), band.top - placed.extent.top, band.bottom - placed.extent.top);
    LayerBuffer rows;
    rows.beginInFrame(target, band, placed.buffer);
    if (corrector) corrector->apply(rows.surface());
    if (effects.finish.vignette) finish_.darkenCorners(rows.surface());
    if (effects.finish.grain > 0) finish_.addGrain(rows, effects);
  }
  return {};
}

LayerBuffer& EffectDrawer::bufferAt(size_t index) {
  while (nested_.size() <= index) nested_.emplace_back();
  return nested_[index];
}

Status EffectDrawer::drawOffscreen(LayerBuffer& finished, const Layer& layer, const EffectInputs& images,
                                   const LayerPlacement& placed, size_t depth) {
  const LayerEffects& effects = *layer.effects;
  const auto begin = [&](LayerBuffer& buffer, const PixelRect& area) {
    return buffer.begin(area.left, area.top, area.width(), area.height(), isDithered_);
  };
  if (effects.projection) {
    LayerBuffer& flat = bufferAt(2 * depth);
    FW_RETURN_IF_ERROR(begin(flat, placed.flat));
    FW_RETURN_IF_ERROR(drawFlat(flat, layer, images, depth));
    FW_RETURN_IF_ERROR(begin(finished, placed.buffer));
    projector_.apply(flat, finished, *effects.projection);
  } else {
    FW_RETURN_IF_ERROR(begin(finished, placed.buffer));
    FW_RETURN_IF_ERROR(drawFlat(finished, layer, images, depth));
  }
  if (!effects.shadows.empty()) shadows_.apply(finished.surface(), effects.shadows, blur_);
  if (effects.finish.grain > 0) finish_.addGrain(finished, effects);
  return {};
}

Status EffectDrawer::drawMembers(const LayerBuffer& buffer, const Layer& group,
                                 std::span<const EffectInputs> images, size_t depth) {
  const Surface& surface = buffer.surface();
  const std::vector<Layer> members = layersOnSurface(group.group, buffer.x(), buffer.y());
  for (size_t i = 0; i < members.size(); ++i) {
    const Layer& member = members[i];
    const EffectInputs& inputs = images[i];
    const LayerPlacement placed = placeLayer(member, surface.size());
    if (placed.extent.empty()) continue;
    if (placed.method == LayerPlacement::Method::kDirect) {
      contents_.draw(surface, {member, planarImage(inputs.content)},
                     {member.toCanvas, placed.window, placed.opacity, false, placed.extent});
      continue;
    }
    LayerBuffer& finished = bufferAt(2 * depth + 1);
    FW_RETURN_IF_ERROR(drawOffscreen(finished, member, inputs, placed, depth + 1));
    stack(surface, finished, placed, placed.extent);
  }
  return {};
}

Status EffectDrawer::drawFlat(LayerBuffer& buffer, const Layer& layer, const EffectInputs& images,
                              size_t depth) {
  const LayerEffects& effects = *layer.effects;
  const Surface& surface = buffer.surface();
  const bool rounded = effects.cornerRadius > 0;
  if (layer.kind == Layer::Kind::kGroup) {
    FW_RETURN_IF_ERROR(drawMembers(buffer, layer, images.members, depth));
  } else {
    contents_.draw(surface, {layer, planarImage(images.content)},
                   {buffer.fromCanvas() * layer.toCanvas, buffer.rect(), 1, rounded});
  }

  if (effects.correction) ColorCorrector(*effects.correction).apply(surface);
  if (effects.chromaKey) keyer_.apply(surface, *effects.chromaKey);
  if (images.grade != nullptr) grader_.apply(surface, *planarImage(images.grade));
  if (effects.finish.sharpen > 0) finish_.sharpen(surface, effects.finish.sharpen);
  if (effects.finish.vignette) {
    finish_.beginVignette(buffer, effects);
    finish_.darkenCorners(surface);
  }
  if (rounded) {
    shape_.begin(surface.size(), buffer.fromCanvas() * effects.box, effects.boxWidth, effects.boxHeight,
                 effects.cornerRadius);
    eraseRows(surface, rows_, [&](int y, uint16_t* hidden) { return shape_.fillHidden(y, hidden); });
  }
  if (images.mask != nullptr) {
    FW_RETURN_IF_ERROR(mask_.apply(buffer, *planarImage(images.mask), effects.maskBox, contents_.images()));
  }
  if (effects.blur > 0) blur_.apply(surface, effects.blur);
  if (cutsRevealed(effects)) cutBox(buffer, revealedBox(effects));
  if (effects.cut) cutBox(buffer, *effects.cut);
  if (!effects.motion.empty()) motionBlur_.apply(buffer, effects.motion);
  return {};
}

void EffectDrawer::cutBox(const LayerBuffer& buffer, const Affine& box) {
  shape_.begin(buffer.surface().size(), buffer.fromCanvas() * box, 1, 1, 0);
  eraseRows(buffer.surface(), rows_, [&](int y, uint16_t* hidden) { return shape_.fillHidden(y, hidden); });
}

void EffectDrawer::stack(const Surface& to, const LayerBuffer& buffer, const LayerPlacement& placed,
                         const PixelRect& part) {
  const Surface& from = buffer.surface();
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
      const auto lay = [&](int p) {
        const Plane& plane = target[static_cast<size_t>(p)];
        compositeRow(plane.data + y * plane.stride, row(p), row(kAlphaPlane), coverage_.columns, weight,
                     to.rounding(y));
      };
      for (int colour = 0; colour < colourPlanes(group); ++colour) lay(colour);
      if (target[kAlphaPlane].data != nullptr) lay(kAlphaPlane);
    }
  }
}

}  // namespace framewright
