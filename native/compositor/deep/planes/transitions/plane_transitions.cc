#include "compositor/deep/planes/transitions/plane_transitions.h"

#include <utility>

#include "compositor/deep/planes/fill_layer.h"
#include "compositor/deep/planes/images/code_layer.h"
#include "compositor/deep/planes/transition_rows.h"
#include "compositor/deep/planes/transitions/list_rows.h"
#include "compositor/planar_image.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

constexpr kernels::FloatColor kBlackColor{0, 0, 0, 1}, kWhiteColor{1, 1, 1, 1};

std::shared_ptr<const CodeImage> codesOf(ImagePtr samples) {
  const int width = samples->width(), height = samples->height();
  return std::make_shared<const CodeImage>(width, height, 0,
                                           CodeLevel{std::move(samples), kernels::kCodeFraction});
}

}  // namespace

PlaneTransitions::PlaneTransitions(const CanvasCurves& curves, EightBitDrawing& eightBits)
    : curves_(curves), scale_(kernels::ycbcrScale(10, curves.color().isHdr())), eightBits_(eightBits) {}

void PlaneTransitions::addBlack(PlaneList& to, double opacity) const {
  to.add(fillLayer(kBlackColor, scale_, PlaneCoverage(to.canvas().rect(), to.canvas()), opacity));
}

Result<SampleSides> PlaneTransitions::drawSides(PlaneList& from, PlaneList& next) {
  const CanvasSize canvas = from.canvas();
  FW_ASSIGN_OR_RETURN(auto before, nextImage(frames_, canvas));
  from.writeSamples(*before, 0, canvas.height);
  FW_ASSIGN_OR_RETURN(auto after, nextImage(frames_, canvas));
  next.writeSamples(*after, 0, canvas.height);
  return SampleSides{std::move(before), std::move(after)};
}

Status PlaneTransitions::add(PlaneList& to, const Layer& layer, const TransitionStyle& style,
                             std::span<const PreparedImagePtr> images, PlaneList from, PlaneList next) {
  const CanvasSize canvas = to.canvas();
  const double progress = layer.progress;
  switch (style.kind) {
    case TransitionKind::kFade:
      to.add(fadeLayer(std::move(from), std::move(next), progress));
      return {};
    case TransitionKind::kFadeThroughBlack:
    case TransitionKind::kFadeThroughWhite: {
      const FadeThroughColor fade = fadeThroughColor(progress);
      const bool isWhite = style.kind == TransitionKind::kFadeThroughWhite;
      to.add(fadeLayer(std::move(from), std::move(next), fade.towardsNext));
      to.add(fillLayer(isWhite ? kWhiteColor : kBlackColor, scale_, PlaneCoverage(canvas.rect(), canvas),
                       fade.towardsColor));
      return {};
    }
    case TransitionKind::kFadeThroughGray:
      to.add(grayFadeLayer(std::move(from), std::move(next), progress));
      return {};
    case TransitionKind::kFadeFast:
    case TransitionKind::kFadeSlow:
      to.add(
          differenceFadeLayer(std::move(from), std::move(next), progress,
                              style.kind == TransitionKind::kFadeFast ? FadeOrder::kFast : FadeOrder::kSlow));
      return {};
    case TransitionKind::kDistance:
      to.add(distanceLayer(std::move(from), std::move(next), progress));
      return {};
    case TransitionKind::kHorizontalBlur:
      to.add(blurredFadeLayer(std::move(from), std::move(next), progress));
      return {};
    case TransitionKind::kLight:
      to.add(lightLayer(std::move(from), std::move(next), style.light(progress, style.heading),
                        patterns_.next(), curves_));
      return {};
    case TransitionKind::kMask: {
      const TransitionMask mask = style.mask(progress, canvas, style.heading);
      const bool showsTo = style.inputs == TransitionInputs::kHalfInFrame && progress >= 0.5;
      if (mask.isBlack) {
        if (showsTo) std::swap(from, next);
        next = PlaneList(canvas);
      }
      MaskWeights& weights = masks_.next();
      weights.begin(mask, canvas);
      to.add(maskLayer(std::move(from), std::move(next), weights));
      return {};
    }
    case TransitionKind::kLuma: {
      FW_ASSIGN_OR_RETURN(const PreparedImagePtr image, eightBits_.imageAt(layer.image, images));
      MaskWeights& weights = masks_.next();
      weights.begin(lumaMask(progress, layer.wipe, std::static_pointer_cast<const PlanarImage>(image)),
                    canvas);
      to.add(maskLayer(std::move(from), std::move(next), weights));
      return {};
    }
    default:
      break;
  }
  if (style.kind == TransitionKind::kGlitch) {
    to.add(glitchLayer(std::move(from), std::move(next), progress));
    return {};
  }
  if (isMadeOfLayers(style.kind)) {
    addBlack(to, 1);
    return addLayers(to, transitionLayers(style, progress, canvas),
                     {rowsOfList(std::move(from)), rowsOfList(std::move(next))}, nullptr);
  }
  FW_ASSIGN_OR_RETURN(SampleSides sides, drawSides(from, next));
  switch (style.kind) {
    case TransitionKind::kSqueeze:
      to.add(squeezeLayer(std::move(sides), progress, style.heading.axis()));
      return {};
    case TransitionKind::kPixelize:
      to.add(pixelizeLayer(std::move(sides), progress));
      return {};
    case TransitionKind::kWhipPan:
      to.add(whipPanLayer(std::move(sides), progress, style.heading));
      return {};
    case TransitionKind::kZoomBlur:
      return addZoomBlur(to, progress, {codesOf(sides.from), codesOf(sides.to)});
    default:
      to.add(pageCurlLayer(std::move(sides), progress, style.heading));
      return {};
  }
}

Status PlaneTransitions::addLayers(PlaneList& to, const std::vector<TransitionLayer>& layers,
                                   const CodeSides& sides, const std::shared_ptr<const CodeImage>& previous) {
  const CanvasSize canvas = to.canvas();
  for (const TransitionLayer& moved : layers) {
    if (moved.opacity <= 0) continue;
    if (moved.side == TransitionSide::kBlack) {
      addBlack(to, moved.opacity);
      continue;
    }
    const bool isPrevious = moved.side == TransitionSide::kPrevious;
    FW_ASSIGN_OR_RETURN(
        auto drawn,
        codeLayer(isPrevious ? previous : sides[moved.side == TransitionSide::kTo ? 1 : 0],
                  {canvas.rect(), moved.toCanvas, moved.window, moved.opacity, moved.extendsEdges}, canvas));
    to.add(std::move(drawn));
  }
  return {};
}

Status PlaneTransitions::addZoomBlur(PlaneList& to, double progress, const CodeSides& sides) {
  const CanvasSize canvas = to.canvas();
  const auto passes = zoomBlurPasses(progress, canvas);
  std::shared_ptr<const CodeImage> previous;
  for (size_t i = 0; i + 1 < passes.size(); ++i) {
    PlaneList pass(canvas);
    FW_RETURN_IF_ERROR(addLayers(pass, passes[i], sides, previous));
    FW_ASSIGN_OR_RETURN(auto frame, nextImage(frames_, canvas));
    pass.writeSamples(*frame, 0, canvas.height);
    previous = codesOf(std::move(frame));
  }
  return addLayers(to, passes.back(), sides, previous);
}

}  // namespace framewright
