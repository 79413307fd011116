#include "compositor/cpu/transition.h"

#include <algorithm>
#include <string_view>

namespace framewright {
namespace {

// Where a wipe or slide is heading.
struct Heading {
  double x = 0, y = 0;
};

std::optional<Heading> headingOf(std::string_view name) {
  if (name == "left") return Heading{-1, 0};
  if (name == "right") return Heading{1, 0};
  if (name == "up") return Heading{0, -1};
  if (name == "down") return Heading{0, 1};
  return std::nullopt;
}

}  // namespace

std::optional<TransitionMoment> transitionAt(const std::string& style, double progress,
                                             const CanvasSize& canvas) {
  const double p = std::clamp(progress, 0.0, 1.0);
  TransitionMoment moment;
  if (style == "fade") {
    moment.fade = p;
    return moment;
  }
  const std::string_view name = style;
  const bool wipes = name.starts_with("wipe"), slides = name.starts_with("slide");
  const auto heading = wipes ? headingOf(name.substr(4)) : slides ? headingOf(name.substr(5)) : std::nullopt;
  if (!heading) return std::nullopt;
  const double width = canvas.width, height = canvas.height;
  // The new picture comes in from the side that the movement leaves.
  const double x = heading->x * (p - 1) * width, y = heading->y * (p - 1) * height;
  const Rect entering = intersection({x, y, width, height}, canvas.rect());
  moment.revealed = p == 0 ? Rect{} : entering;
  if (slides) {
    moment.moves = true;
    moment.moveFromX = heading->x * p * width;
    moment.moveFromY = heading->y * p * height;
    moment.moveToX = x;
    moment.moveToY = y;
  }
  return moment;
}

}  // namespace framewright
