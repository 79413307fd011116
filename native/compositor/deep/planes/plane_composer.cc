#include "compositor/deep/planes/plane_composer.h"

#include <algorithm>
#include <utility>

#include "compositor/deep/planes/effect_reader.h"
#include "compositor/deep/planes/effects/row_effects.h"
#include "compositor/deep/planes/fill_layer.h"
#include "compositor/deep/planes/images/alpha_rows.h"
#include "compositor/deep/planes/images/code_layer.h"
#include "compositor/deep/planes/overlay_layer.h"
#include "compositor/deep/planes/plane_backdrop.h"
#include "compositor/deep/planes/transition_rows.h"
#include "compositor/plan/group_layers.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

// How far beyond its extent a layer may change chroma, or read what is below it.
constexpr int kFilterReach = 4;

PixelRect grown(const PixelRect& rect, int margin) {
  return {rect.left - margin, rect.top - margin, rect.right + margin, rect.bottom + margin};
}

// The drawn part in pixels of the image.
Rect cropOf(const Layer& layer, const DeepImage& image) {
  return {layer.crop.x * image.width(), layer.crop.y * image.height(), layer.crop.width * image.width(),
          layer.crop.height * image.height()};
}

// Whether a layer has no effects but a blend mode.
bool onlyBlends(const Layer& layer) {
  const LayerEffects& effects = *layer.effects;
  const bool changesColours = effects.correction || effects.finish.vignette || effects.finish.grain > 0;
  const bool changesShape =
      effects.cornerRadius > 0 || effects.mask >= 0 || effects.cut || cutsRevealed(effects);
  return hasRowEffects(layer) && !changesColours && !changesShape;
}

// The pixels to which an image is copied as a whole; nothing if it is not.
std::optional<PixelRect> copiedTo(const DeepImage& image, const FloatImage& first, const Rect& crop,
                                  const Layer& layer, const Rect& window, const CanvasSize& canvas) {
  if (layer.crop != Rect{0, 0, 1, 1} || first.width() != image.width()) return std::nullopt;
  const auto sampling = planSampling(crop, layer.toCanvas, image.width(), image.height());
  if (!sampling || !sampling->isAxisAligned || sampling->levels.level != 0 || sampling->levels.count() != 1)
    return std::nullopt;
  RectCoverage coverage;
  coverage.cover(intersection(axisAlignedRect(layer.toCanvas), window), canvas, PlaneGroup::kLuma);
  const AxisCoverage &columns = coverage.columns, &rows = coverage.rows;
  if (!columns.isFull() || !rows.isFull() || columns.count() != first.width() ||
      rows.count() != first.height())
    return std::nullopt;
  const Affine map = filterMapping(PlaneGroup::kLuma, sampling->imageFromCanvas, 0, 0);
  const auto x = copyOffset(map.xx, map.dx, columns.first, columns.count(), 0, first.width() - 1);
  const auto y = copyOffset(map.yy, map.dy, rows.first, rows.count(), 0, first.height() - 1);
  if (!x || !y) return std::nullopt;
  return PixelRect{columns.first, rows.first, columns.end, rows.end};
}

}  // namespace

PlaneComposer::PlaneComposer(std::shared_ptr<const CanvasCurves> curves, DeepLayerDrawer& layers,
                             SurfaceDrawer& drawer, PlaneTransitions& transitions)
    : curves_(std::move(curves)),
      scale_(kernels::ycbcrScale(10, curves_->color().isHdr())),
      layers_(layers),
      drawer_(drawer),
      transitions_(transitions) {}

Status PlaneComposer::redraw(const DrawList& list, Images images, Image& frame,
                             std::span<const PixelRect> parts) {
  surfaces_.used = overlays_.used = frames_.used = 0;
  transitions_.beginFrame();
  FW_ASSIGN_OR_RETURN(PlaneList planned, plan(list, images, {frame.width(), frame.height()}, parts));
  planned.write(frame, list.isDithered, parts);
  cache_.endFrame();
  return {};
}

Result<PlaneList> PlaneComposer::plan(const DrawList& list, Images images, const CanvasSize& canvas,
                                      std::span<const PixelRect> parts) {
  const auto isOpaque = [&](int index) {
    const auto image = deepImageAt(index, images);
    return image.ok() && image.value()->isOpaque();
  };
  const auto isSeen = [&](const Layer& layer) {
    const PixelRect extent = placeLayer(layer, canvas).extent;
    return std::any_of(parts.begin(), parts.end(), [&](const PixelRect& part) {
      return !intersection(grown(part, kFilterReach), extent).empty();
    });
  };
  PlaneList planned(canvas);
  const auto lowest = lowestVisibleLayer(list, canvas, canvas.pixels(), isOpaque);
  for (size_t i = lowest.value_or(0); i < list.layers.size(); ++i)
    if (isSeen(list.layers[i])) FW_RETURN_IF_ERROR(addLayer(planned, list.layers[i], images));
  return planned;
}

Status PlaneComposer::addLayer(PlaneList& to, const Layer& layer, Images images) {
  if (layer.kind == Layer::Kind::kTransition) return addTransition(to, layer, images);
  const LayerPlacement placed = placeLayer(layer, to.canvas());
  if (placed.extent.empty()) return {};
  if (hasSampleEffects(layer)) {
    FW_ASSIGN_OR_RETURN(const bool isAdded, addAffected(to, layer, placed, images));
    if (isAdded) return {};
  }
  const bool isDirect = placed.method == LayerPlacement::Method::kDirect && !EightBitDrawing::needs(layer);
  if (isDirect && layer.kind == Layer::Kind::kImage) {
    FW_ASSIGN_OR_RETURN(const DeepImage* const image, deepImageAt(layer.image, images));
    return addImage(to, layer, *image, placed, images);
  }
  if (isDirect && layer.kind == Layer::Kind::kFill && layer.toCanvas.isAxisAligned()) {
    const PlaneCoverage coverage(intersection(axisAlignedRect(layer.toCanvas), placed.window), to.canvas());
    if (!coverage.empty()) to.add(fillLayer(curves_->fromSdr(layer.fill), scale_, coverage, placed.opacity));
    return {};
  }
  return addDrawn(to, layer, placed, images);
}

Result<bool> PlaneComposer::addAffected(PlaneList& to, const Layer& layer, const LayerPlacement& placed,
                                        Images images) {
  const CanvasSize canvas = to.canvas();
  const DeepImage* image = nullptr;
  if (layer.kind == Layer::Kind::kImage) {
    FW_ASSIGN_OR_RETURN(image, deepImageAt(layer.image, images));
    if (!image->isOpaque()) return false;
  }
  // The edges of round corners are those of the shape.
  const bool extendsEdges = layer.effects->cornerRadius > 0;
  const Rect window = placed.extent.rect();
  FW_ASSIGN_OR_RETURN(auto effects,
                      RowEffects::create(*layer.effects, placed.window, images, canvas, *curves_));
  if (image == nullptr) {
    const PlaneCoverage coverage(
        extendsEdges ? window : intersection(axisAlignedRect(layer.toCanvas), window), canvas);
    if (!coverage.empty())
      to.add(fillLayer(curves_->fromSdr(layer.fill), scale_, coverage, placed.opacity, std::move(effects)));
    return true;
  }
  FW_ASSIGN_OR_RETURN(auto codes, image->codes());
  FW_ASSIGN_OR_RETURN(auto drawn,
                      codeLayer(std::move(codes),
                                {cropOf(layer, *image), layer.toCanvas, window, placed.opacity, extendsEdges},
                                canvas, std::move(effects)));
  to.add(std::move(drawn));
  return true;
}

Status PlaneComposer::addImage(PlaneList& to, const Layer& layer, const DeepImage& image,
                               const LayerPlacement& placed, Images images) {
  const Rect crop = cropOf(layer, image);
  if (image.isOpaque()) {
    FW_ASSIGN_OR_RETURN(auto codes, image.codes());
    const CodePlacement placement{crop, layer.toCanvas, placed.window, placed.opacity, false};
    FW_ASSIGN_OR_RETURN(auto drawn, codeLayer(std::move(codes), placement, to.canvas()));
    to.add(std::move(drawn));
    return {};
  }
  FW_ASSIGN_OR_RETURN(const FloatImage* const first, image.first());
  if (const auto area = copiedTo(image, *first, crop, layer, placed.window, to.canvas())) {
    FW_ASSIGN_OR_RETURN(auto planes, image.overlay(overlaySiteOf(*area, to.canvas()), scale_));
    to.add(overlayLayer(std::move(planes), area->left, area->top, placed.opacity, to.canvas()));
    return {};
  }
  FW_ASSIGN_OR_RETURN(auto planes, image.alphaPlanes(scale_));
  return addRows(to, layer, placed, images, [&]() -> Result<std::unique_ptr<LayerRows>> {
    return alphaRows(std::move(planes), {crop, layer.toCanvas, placed.window, 1, false}, placed.extent,
                     to.canvas());
  });
}

template <class MakeRows>
Status PlaneComposer::addRows(PlaneList& to, const Layer& layer, const LayerPlacement& placed, Images images,
                              const MakeRows& makeRows) {
  const PixelRect& area = placed.extent;
  const SurfaceCache::Place place = cache_.find(layer, images, area);
  if (place.planes != nullptr && *place.planes != nullptr) {
    to.add(overlayLayer(*place.planes, area.left, area.top, placed.opacity, to.canvas()));
    return {};
  }
  FW_ASSIGN_OR_RETURN(std::unique_ptr<LayerRows> rows, makeRows());
  if (rows == nullptr) return {};
  if (place.planes == nullptr) {
    to.add(rowsLayer(std::move(rows), placed.opacity));
    return {};
  }
  *place.planes = planesOfRows(*rows, area, to.canvas());
  to.add(overlayLayer(*place.planes, area.left, area.top, placed.opacity, to.canvas()));
  return {};
}

Result<std::unique_ptr<SurfaceReader>> PlaneComposer::drawSurface(const Layer& layer, bool hasEffects,
                                                                  const LayerPlacement& placed,
                                                                  Images images) {
  const PixelRect& area = placed.buffer;
  if (hasEffects && hasRowEffects(layer)) return effectReader(layer, images, area, *curves_);
  FloatImage& surface = surfaces_.next();
  FW_RETURN_IF_ERROR(surface.resize(area.width(), area.height(), true));
  if (hasEffects) {
    FW_RETURN_IF_ERROR(layers_.drawOffscreen(surface, layer, images, placed));
  } else {
    surface.clear();
    FW_RETURN_IF_ERROR(layers_.draw(surface, layersOnSurface({layer}, area.left, area.top).front(), images));
  }
  return imageReader(surface);
}

Result<std::unique_ptr<FloatRowsSource>> PlaneComposer::drawRows(const Layer& layer,
                                                                 const LayerPlacement& placed,
                                                                 const CanvasSize& canvas, Images images) {
  const bool isOffscreen = placed.method == LayerPlacement::Method::kOffscreen;
  const bool hasEffects = isOffscreen || EightBitDrawing::needs(layer);
  LayerPlacement surface = placed;
  if (!isOffscreen) surface.buffer = placed.extent;
  Layer opaque = layer;
  opaque.opacity = 1;
  FW_ASSIGN_OR_RETURN(auto reader, drawSurface(opaque, hasEffects, surface, images));
  // The window is applied to what has effects, and is in the surface otherwise.
  return surfaceRows({std::move(reader), surface.buffer, hasEffects ? placed.window : canvas.rect()}, canvas);
}

Status PlaneComposer::addDrawn(PlaneList& to, const Layer& layer, const LayerPlacement& placed,
                               Images images) {
  const CanvasSize canvas = to.canvas();
  const PixelRect& area = placed.extent;
  if (!layer.effects || layer.effects->blend == BlendMode::kNormal) {
    if (drawer_.draws(layer, images)) return addSurface(to, layer, placed, images);
    return addRows(to, layer, placed, images, [&]() -> Result<std::unique_ptr<LayerRows>> {
      FW_ASSIGN_OR_RETURN(auto rows, drawRows(layer, placed, canvas, images));
      return overlayRows(std::move(rows), area, canvas, scale_);
    });
  }
  FW_ASSIGN_OR_RETURN(PlacedSurface drawn, drawBlended(layer, placed, canvas, images));
  FW_ASSIGN_OR_RETURN(auto frame, nextImage(frames_, canvas));
  auto backdrop = std::make_unique<PlaneBackdrop>(to, area, *curves_, std::move(frame));
  auto rows = blendedRows(std::move(drawn), canvas, layer.effects->blend, std::move(backdrop));
  to.add(rowsLayer(overlayRows(std::move(rows), area, canvas, scale_)));
  return {};
}

Result<PlacedSurface> PlaneComposer::drawBlended(const Layer& layer, const LayerPlacement& placed,
                                                 const CanvasSize& canvas, Images images) {
  const bool isImage = layer.kind == Layer::Kind::kImage && layer.toCanvas.isAxisAligned();
  FW_ASSIGN_OR_RETURN(const DeepImage* const image,
                      isImage ? deepImageAt(layer.image, images) : Result<const DeepImage*>(nullptr));
  if (image == nullptr || !image->isOpaque() || !onlyBlends(layer)) {
    FW_ASSIGN_OR_RETURN(auto reader, drawSurface(layer, true, placed, images));
    return PlacedSurface{std::move(reader), placed.buffer, placed.window, placed.opacity};
  }
  // The planes of an opaque image, which are smaller than its colours.
  const PixelRect& area = placed.extent;
  PlaneList content(canvas);
  FW_ASSIGN_OR_RETURN(auto codes, image->codes());
  FW_ASSIGN_OR_RETURN(
      auto drawn,
      codeLayer(std::move(codes), {cropOf(layer, *image), layer.toCanvas, area.rect(), 1, true}, canvas));
  content.add(std::move(drawn));
  FW_ASSIGN_OR_RETURN(auto frame, nextImage(frames_, canvas));
  auto rows = std::make_unique<PlaneBackdrop>(content, area, *curves_, std::move(frame));
  return PlacedSurface{areaReader(std::move(rows), area), area,
                       intersection(axisAlignedRect(layer.toCanvas), placed.window), placed.opacity};
}

Status PlaneComposer::addSurface(PlaneList& to, const Layer& layer, const LayerPlacement& placed,
                                 Images images) {
  const CanvasSize canvas = to.canvas();
  const SurfaceCache::Place place = cache_.find(layer, images, placed.buffer);
  std::shared_ptr<const OverlayPlanes> planes = place.planes != nullptr ? *place.planes : nullptr;
  if (planes == nullptr) {
    std::shared_ptr<OverlayPlanes>& reused = overlays_.next();
    PlaneSurface surface;
    if (reused != nullptr && reused.use_count() == 1) surface.groups = reused->take();
    FW_RETURN_IF_ERROR(drawer_.draw(surface, layer, images, placed));
    auto made = std::make_shared<OverlayPlanes>(std::move(surface.groups));
    planes = made;
    if (place.planes != nullptr) {
      *place.planes = planes;
    } else {
      reused = std::move(made);
    }
  }
  to.add(windowedLayer(std::move(planes), placed.buffer, placed.window, placed.opacity, canvas));
  return {};
}

Result<PlaneList> PlaneComposer::planSide(const std::shared_ptr<const DrawList>& side, bool isSeen,
                                          Images images, const CanvasSize& canvas) {
  if (side == nullptr || !isSeen) return PlaneList(canvas);
  const PixelRect whole = canvas.pixels();
  return plan(*side, images, canvas, {&whole, 1});
}

Status PlaneComposer::addTransition(PlaneList& to, const Layer& layer, Images images) {
  const TransitionStyle* const style = findTransition(layer.style);
  if (style == nullptr) return unknownTransition(layer.style);
  const CanvasSize canvas = to.canvas();
  const double progress = layer.progress;
  FW_ASSIGN_OR_RETURN(PlaneList from, planSide(layer.from, progress < 1, images, canvas));
  FW_ASSIGN_OR_RETURN(PlaneList next, planSide(layer.to, progress > 0, images, canvas));
  if (progress <= 0 || progress >= 1) {
    to.add(fadeLayer(std::move(from), std::move(next), progress));
    return {};
  }
  return transitions_.add(to, layer, *style, images, std::move(from), std::move(next));
}

}  // namespace framewright
