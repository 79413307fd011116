#include "compositor/deep/planes/surfaces/surface_drawer.h"

#include <algorithm>

#include "compositor/deep/planes/effects/row_effects.h"
#include "compositor/deep/planes/fill_layer.h"
#include "compositor/deep/planes/images/code_layer.h"
#include "compositor/deep/planes/surfaces/surface_finish.h"
#include "compositor/deep/planes/surfaces/surface_motion.h"
#include "compositor/plan/group_layers.h"
#include "kernels/deep/plane_filters.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

// Frees a number of objects at the end of a call.
class UsedScope {
 public:
  explicit UsedScope(size_t& used) : used_(used), before_(used) {}
  ~UsedScope() { used_ = before_; }
  UsedScope(const UsedScope&) = delete;
  UsedScope& operator=(const UsedScope&) = delete;

 private:
  size_t& used_;
  const size_t before_;
};

// The content of a layer on an empty surface, with its coverage as alpha.
void drawOnEmpty(PlaneSurface& to, PlaneLayer& layer) {
  const auto width = static_cast<size_t>(to.area.width() + kernels::kSampleBlock);
  std::vector<int16_t> rows[2];
  std::vector<uint16_t> covered(width);
  for (auto& row : rows) row.resize(width);
  const auto drawRow = [&](PlaneGroup group, int y) {
    OverlaySamples& samples = to.of(group);
    const SampleRange visible = layer.rows(group);
    SampleRange span{0, 0};
    if (y >= visible.first && y < visible.end) span = layer.span(group, y);
    const int first = std::clamp(span.first, 0, samples.width),
              end = std::clamp(span.end, first, samples.width);
    // Blocks of filters may be written into the next row, which is drawn later.
    if (first == 0 && end == samples.width && layer.hides(group, y)) {
      layer.draw(group, y,
                 {colourRow(samples, 0, y), group == PlaneGroup::kLuma ? nullptr : colourRow(samples, 1, y)});
      std::fill_n(alphaRow(samples, y), samples.width, kernels::kFullSampleWeight);
      return;
    }
    const auto place = [&](int16_t* target, const auto& source) {
      std::fill(target, target + first, int16_t{0});
      std::copy(source.begin() + first, source.begin() + end, target + first);
      std::fill(target + end, target + samples.width, int16_t{0});
    };
    if (first < end) {
      for (size_t i = 0; i < coloursOf(group); ++i)
        std::fill(rows[i].begin() + first, rows[i].begin() + end, int16_t{0});
      layer.draw(group, y, {rows[0].data(), rows[1].data()});
      layer.writeCoverage(group, y, covered.data());
    }
    for (size_t i = 0; i < coloursOf(group); ++i) place(colourRow(samples, i, y), rows[i]);
    place(alphaRow(samples, y), covered);
  };
  for (int k = 0; k < to.of(PlaneGroup::kChroma).height; ++k) {
    drawRow(PlaneGroup::kLuma, 2 * k);
    drawRow(PlaneGroup::kLuma, 2 * k + 1);
    drawRow(PlaneGroup::kChroma, k);
  }
}

// Effects without those that change the shape.
LayerEffects withoutShape(const LayerEffects& effects) {
  LayerEffects plain = effects;
  plain.cornerRadius = 0;
  plain.mask = -1;
  plain.revealed = {0, 0, 1, 1};
  plain.cut.reset();
  return plain;
}

}  // namespace

SurfaceDrawer::SurfaceDrawer(const CanvasCurves& curves, DeepLayerDrawer& layers, bool prefersPlanes)
    : curves_(curves), layers_(layers), prefersPlanes_(prefersPlanes), grader_(curves) {}

bool SurfaceDrawer::draws(const Layer& layer, Images images) const {
  if (!layer.effects) return false;
  const LayerEffects& effects = *layer.effects;
  if (effects.chromaKey || effects.grade >= 0 || effects.finish.sharpen > 0 || !effects.motion.empty() ||
      effects.projection)
    return true;
  const bool hasVersions = effects.blur > 0 || !effects.shadows.empty();
  return prefersPlanes_ && hasVersions && isOpaqueContent(layer, images);
}

// Whether the content is opaque and drawn as planes.
bool SurfaceDrawer::isOpaqueContent(const Layer& layer, Images images) {
  if (layer.kind == Layer::Kind::kFill) return layer.toCanvas.isAxisAligned();
  if (layer.kind != Layer::Kind::kImage) return false;
  const auto image = deepImageAt(layer.image, images);
  return image.ok() && image.value()->isOpaque();
}

PlaneSurface& SurfaceDrawer::nextSurface() {
  if (surfaces_.size() == usedSurfaces_) surfaces_.emplace_back();
  return surfaces_[usedSurfaces_++];
}

Status SurfaceDrawer::draw(FloatImage& to, const Layer& layer, Images images, const LayerPlacement& placed,
                           size_t depth) {
  const UsedScope scope(usedSurfaces_);
  PlaneSurface& surface = nextSurface();
  FW_RETURN_IF_ERROR(draw(surface, layer, images, placed, depth));
  writeFloats(to, surface, curves_);
  return {};
}

Status SurfaceDrawer::draw(PlaneSurface& to, const Layer& layer, Images images, const LayerPlacement& placed,
                           size_t depth) {
  const LayerEffects& effects = *layer.effects;
  // What is before the projection has the coordinates of its surface.
  Layer unprojected = layer;
  unprojected.effects->projection.reset();
  const auto onSurface = [&](const PixelRect& area) {
    Layer moved = layersOnSurface({unprojected}, area.left, area.top).front();
    // Decides how the layer is revealed.
    moved.effects->projection = effects.projection;
    return moved;
  };
  to.fit(placed.buffer);
  if (effects.projection) {
    const UsedScope scope(usedSurfaces_);
    PlaneSurface& flat = nextSurface();
    flat.fit(placed.flat);
    FW_RETURN_IF_ERROR(drawFlat(flat, onSurface(placed.flat), images, depth));
    projectSurface(to, flat, *effects.projection);
  } else {
    FW_RETURN_IF_ERROR(drawFlat(to, onSurface(placed.buffer), images, depth));
  }
  castShadows(to, effects.shadows, curves_, blur_);
  if (effects.finish.grain > 0) addGrain(to, effects);
  return {};
}

Status SurfaceDrawer::drawFlat(PlaneSurface& to, const Layer& layer, Images images, size_t depth) {
  LayerEffects left = *layer.effects;
  FW_RETURN_IF_ERROR(drawContent(to, layer, images, depth, left));
  if (left.chromaKey) keyer_.apply(to, *left.chromaKey);
  if (left.grade >= 0) {
    FW_ASSIGN_OR_RETURN(const DeepImage* const table, deepImageAt(left.grade, images));
    grader_.apply(to, table->source());
  }
  if (left.finish.sharpen > 0) sharpenSurface(to, left.finish.sharpen);
  if (left.finish.vignette) darkenCorners(to, left);
  const Rect everywhere = to.size().rect();
  LayerEffects inner = withoutShape(left), outer = inner;
  inner.cornerRadius = left.cornerRadius;
  inner.mask = left.mask;
  outer.revealed = left.revealed;
  outer.cut = left.cut;
  RowShape shape, cuts;
  FW_RETURN_IF_ERROR(shape.begin(inner, everywhere, images, to.size(), curves_));
  applyShape(to, shape);
  if (left.blur > 0) blur_.apply(to, left.blur);
  FW_RETURN_IF_ERROR(cuts.begin(outer, everywhere, images, to.size(), curves_));
  applyShape(to, cuts);
  if (!left.motion.empty()) blurMotion(to, left.motion);
  return {};
}

Status SurfaceDrawer::drawContent(PlaneSurface& to, const Layer& layer, Images images, size_t depth,
                                  LayerEffects& left) {
  LayerEffects before = withoutShape(*layer.effects);
  before.chromaKey.reset();
  before.grade = -1;
  before.finish.sharpen = before.finish.grain = 0;
  before.blur = 0;
  before.motion.clear();
  before.projection.reset();
  before.shadows.clear();
  before.blend = BlendMode::kNormal;
  const bool isBetween = left.chromaKey || left.grade >= 0 || left.finish.sharpen > 0;
  if (isBetween) {
    before.finish.vignette.reset();
  } else {
    left.finish.vignette.reset();
  }
  if (isOpaqueContent(layer, images)) return drawCodes(to, layer, images, before);
  // The edges of round corners are those of the shape, which is cut off before other effects here.
  before.cornerRadius = left.cornerRadius;
  left.cornerRadius = 0;
  const UsedScope scope(usedFloats_);
  if (floats_.size() == usedFloats_) floats_.emplace_back();
  FloatImage& image = floats_[usedFloats_++];
  FW_RETURN_IF_ERROR(image.resize(to.area.width(), to.area.height(), true));
  Layer content = layer;
  content.effects = before;
  content.window.reset();
  LayerPlacement placed;
  placed.buffer = to.size().pixels();
  FW_RETURN_IF_ERROR(layers_.drawOffscreen(image, content, images, placed, depth));
  return readFloats(to, image, curves_);
}

Status SurfaceDrawer::drawCodes(PlaneSurface& to, const Layer& layer, Images images,
                                const LayerEffects& before) {
  const CanvasSize size = to.size();
  const Rect whole = size.rect();
  const bool extendsEdges = layer.effects->cornerRadius > 0;
  FW_ASSIGN_OR_RETURN(auto effects, RowEffects::create(before, whole, images, size, curves_));
  std::unique_ptr<PlaneLayer> content;
  if (layer.kind == Layer::Kind::kFill) {
    const PlaneCoverage coverage(extendsEdges ? whole : intersection(axisAlignedRect(layer.toCanvas), whole),
                                 size);
    kernels::FloatColor color = curves_.fromSdr(layer.fill);
    curves_.toSignals({&color.r, &color.g, &color.b, &color.a}, 1);
    if (!coverage.empty())
      content =
          fillLayer(color, kernels::ycbcrScale(10, curves_.color().isHdr()), coverage, 1, std::move(effects));
  } else {
    FW_ASSIGN_OR_RETURN(const DeepImage* const image, deepImageAt(layer.image, images));
    FW_ASSIGN_OR_RETURN(auto codes, image->codes());
    const Rect crop{layer.crop.x * image->width(), layer.crop.y * image->height(),
                    layer.crop.width * image->width(), layer.crop.height * image->height()};
    FW_ASSIGN_OR_RETURN(content, codeLayer(std::move(codes), {crop, layer.toCanvas, whole, 1, extendsEdges},
                                           size, std::move(effects)));
  }
  if (content == nullptr)
    content = fillLayer({0, 0, 0, 0}, kernels::ycbcrScale(10, false), PlaneCoverage({}, size), 1);
  drawOnEmpty(to, *content);
  return {};
}

}  // namespace framewright
