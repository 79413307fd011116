#include "compositor/plan/transitions/transition_layers.h"

#include <algorithm>
#include <cmath>

#include "compositor/plan/transitions/transition_steps.h"

namespace framewright {
namespace {

constexpr double kParallax = 0.35;  // speed of a pushed side against that of the one that pushes it
constexpr double kMaxShade = 0.5;

constexpr double kZoomRate = 0.65;    // logarithm of the zoom during the transition, up to ln 2
constexpr double kMaxZoomBlur = 0.3;  // logarithm of the largest zoom that is averaged
constexpr int kMaxZoomPasses = 5;     // 2^5 copies
constexpr double kCopyDistance = 8;   // pixels between copies at the corners

// The canvas scaled about its middle.
Affine zoomed(double scale, const CanvasSize& canvas) {
  const double width = canvas.width, height = canvas.height;
  return {width * scale, 0, width * (1 - scale) / 2, 0, height * scale, height * (1 - scale) / 2};
}

// A side scaled to less than the canvas, and its mirror images around it.
void addMirrored(std::vector<TransitionLayer>& layers, TransitionSide side, double scale,
                 const CanvasSize& canvas) {
  const Affine middle = zoomed(scale, canvas);
  for (int row = -1; row <= 1; ++row) {
    for (int column = -1; column <= 1; ++column) {
      // Two pixels under the next tiles, so that the border of a tile is not mixed with black.
      const Rect window{middle.dx + column * middle.xx, middle.dy + row * middle.yy, middle.xx + 2,
                        middle.yy + 2};
      const Affine tile = middle * translation(column, row);
      const Affine mirror{column == 0 ? 1.0 : -1.0, 0, column == 0 ? 0.0 : 1.0, 0, row == 0 ? 1.0 : -1.0,
                          row == 0 ? 0.0 : 1.0};
      layers.push_back({side, tile * mirror, window, 1, true});
    }
  }
}

}  // namespace

bool isMadeOfLayers(TransitionKind kind) {
  switch (kind) {
    case TransitionKind::kWipe:
    case TransitionKind::kSlide:
    case TransitionKind::kCover:
    case TransitionKind::kReveal:
    case TransitionKind::kZoomIn:
    case TransitionKind::kPush:
      return true;
    default:
      return false;
  }
}

bool blendsSides(TransitionKind kind) {
  switch (kind) {
    case TransitionKind::kFade:
    case TransitionKind::kFadeThroughBlack:
    case TransitionKind::kFadeThroughWhite:
    case TransitionKind::kMask:
    case TransitionKind::kLuma:
      return true;
    default:
      return isMadeOfLayers(kind);
  }
}

std::vector<TransitionLayer> transitionLayers(const TransitionStyle& style, double progress,
                                              const CanvasSize& canvas) {
  using enum TransitionSide;
  const double width = canvas.width, height = canvas.height;
  const auto layerAt = [&](TransitionSide side, double x, double y) {
    return TransitionLayer{side, {width, 0, x, 0, height, y}, canvas.rect()};
  };
  const TransitionLayer from = layerAt(kFrom, 0, 0);
  TransitionLayer to = layerAt(kTo, 0, 0);
  const Heading heading = style.heading;
  const auto entering = layerAt(kTo, heading.x * (progress - 1) * width, heading.y * (progress - 1) * height);
  auto leaving = layerAt(kFrom, heading.x * progress * width, heading.y * progress * height);
  switch (style.kind) {
    case TransitionKind::kWipe:
      to.window = intersection({entering.toCanvas.dx, entering.toCanvas.dy, width, height}, canvas.rect());
      return {from, to};
    case TransitionKind::kSlide:
      leaving.extendsEdges = true;
      return {leaving, entering};
    case TransitionKind::kCover:
      return {from, entering};
    case TransitionKind::kReveal:
      return {to, leaving};
    case TransitionKind::kZoomIn: {
      const double left = 1 - progress;
      const double seen = std::max(smoothStep(0.5, 1, left), 0.5 / std::max(width, height));
      TransitionLayer zoomed = from;
      zoomed.toCanvas = {
          width / seen, 0, width / 2 * (1 - 1 / seen), 0, height / seen, height / 2 * (1 - 1 / seen)};
      to.opacity = 1 - smoothStep(0, 0.5, left);
      return {zoomed, to};
    }
    case TransitionKind::kPush: {
      TransitionLayer pushed =
          layerAt(kFrom, heading.x * progress * kParallax * width, heading.y * progress * kParallax * height);
      pushed.extendsEdges = true;
      TransitionLayer shade = layerAt(kBlack, 0, 0);
      shade.opacity = kMaxShade * progress;
      return {pushed, shade, entering};
    }
    default:
      to.opacity = progress;
      return {from, to};
  }
}

std::vector<std::vector<TransitionLayer>> zoomBlurPasses(double progress, const CanvasSize& canvas) {
  using enum TransitionSide;
  const Rect whole = canvas.rect();
  const double shown = smoothStep(0.35, 0.65, progress);
  std::vector<std::vector<TransitionLayer>> passes(1);
  if (shown < 1) {
    passes[0].push_back({kFrom, zoomed(std::exp(kZoomRate * progress), canvas), whole});
  }
  if (shown > 0) {
    std::vector<TransitionLayer> to;
    addMirrored(to, kTo, std::exp(-kZoomRate * (1 - progress)), canvas);
    if (shown < 1) {
      // The new side first, whole, and the old one over it.
      passes[0][0].opacity = 1 - shown;
      to.push_back(passes[0][0]);
    }
    passes[0] = std::move(to);
  }
  const double blur = kMaxZoomBlur * 4 * progress * (1 - progress);
  // Of the strongest blur, so that the number of copies does not change during the transition.
  const double reach = std::expm1(kMaxZoomBlur) * std::hypot(canvas.width, canvas.height) / 2;
  const int doublings =
      std::clamp(static_cast<int>(std::ceil(std::log2(reach / kCopyDistance))), 1, kMaxZoomPasses);
  for (int i = 0; i < doublings; ++i) {
    const double scale = std::exp(blur * std::exp2(i - doublings));
    TransitionLayer copy{kPrevious, zoomed(scale, canvas), whole, 0.5};
    passes.push_back({{kPrevious, zoomed(1, canvas), whole}, copy});
  }
  return passes;
}

}  // namespace framewright
