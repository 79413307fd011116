#include "compositor/plan/transitions/transition_layers.h"

#include <algorithm>

#include "compositor/plan/transitions/transition_steps.h"

namespace framewright {

std::array<TransitionLayer, 2> transitionLayers(const TransitionStyle& style, double progress,
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
    default:
      to.opacity = progress;
      return {from, to};
  }
}

}  // namespace framewright
