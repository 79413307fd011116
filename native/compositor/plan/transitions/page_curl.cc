#include "compositor/plan/transitions/page_curl.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <ranges>

namespace framewright {
namespace {

using kernels::CurlStep;
using std::numbers::pi;

constexpr double kTilt = 0.2;             // of the fold, in radians, so that a corner lifts first
constexpr double kRadius = 0.065;         // of the roll, as a share of the page's extent
constexpr double kPaper = 0.82;           // how little of the page is seen from behind
constexpr double kPageShadow = 0.42;      // around the page that lies over itself
constexpr double kRollShadow = 0.55;      // beside the roll
constexpr double kShadowReach = 0.8;      // of the page, in radii
constexpr double kRollShadowReach = 1.5;  // in radii
constexpr double kUnit = 4 * 4096;        // of positions, per pixel
constexpr double kStepPixels = 0.5;

int rounded(double value) { return static_cast<int>(std::lround(value)); }

// Brightness of the outside of the roll; `angle`: from its top, where it is level, to its side.
double outerLight(double angle) {
  const double shine = (angle - 0.55) / 0.3;
  return 0.56 + 0.42 * std::cos(angle - 0.4) + 0.10 * std::exp(-shine * shine);
}

CurlStep stepAt(double distance, double radius) {
  CurlStep step;
  const double across = std::clamp(distance / radius, 0.0, 1.0), angle = std::asin(across);
  const double back = distance < 0        ? pi * radius - distance
                      : distance > radius ? pi / 2 * radius
                                          : (pi - angle) * radius;
  const double front = distance < 0 ? distance : angle * radius;
  step.backShift = rounded((back - distance) * 16);
  step.frontShift = rounded((front - distance) * 16);
  step.roll = rounded(std::clamp(radius - distance + 0.5, 0.0, 1.0) * 256);
  const double beyond = std::max(0.0, distance - radius) / (kRollShadowReach * radius);
  step.shadow = rounded((distance < 0 ? kPageShadow : std::lerp(kPageShadow, kRollShadow, across)) * 256 *
                        std::exp(-2.5 * beyond * beyond));
  // About black, and towards white paper.
  const auto setTone = [](int& gain, std::array<int, 2>& offset, double light, double paper) {
    const double share = light * (1 - paper);
    gain = rounded(share * 4096);
    offset[0] = rounded((16 - 16 * share + light * paper * 219) * 4096) + 2048;
    offset[1] = rounded((128 - 128 * share) * 4096) + 2048;
  };
  setTone(step.backGain, step.backOffset, outerLight(angle), kPaper);
  setTone(step.frontGain, step.frontOffset, 1 - 0.5 * across * across, 0);
  return step;
}

}  // namespace

int PageCurl::wholeSteps() const {
  const auto end = std::ranges::find_if(steps, [](const auto& step) { return step.roll != 256; });
  return std::max(0, static_cast<int>(end - steps.begin()) - 1);
}

PageCurl::Columns PageCurl::columnsOf(bool isChroma, int y, int width) const {
  const int end = (static_cast<int>(steps.size()) - 1) << kernels::kCurlStepBits;
  // Positions rise or fall along the row.
  const bool rises = pointsRight();
  const auto columns = std::views::iota(0, width);
  const auto split = [&](int limit) {
    return *std::ranges::partition_point(
        columns, [&](int x) { return (positionInSteps(isChroma, x, y) < limit) == rises; });
  };
  const int atStart = split(0), atEnd = split(end);
  return {rises ? atStart : atEnd, rises ? atEnd : atStart};
}

PageCurl pageCurl(double progress, const CanvasSize& canvas, Heading heading) {
  PageCurl curl;
  const double along = std::cos(kTilt), aside = std::sin(kTilt);
  const double x = heading.x != 0 ? -heading.x * along : aside,
               y = heading.y != 0 ? -heading.y * along : aside;
  curl.normalX = rounded(x * 4096);
  curl.normalY = rounded(y * 4096);
  // The extent of the page along the normal.
  const double low = std::min(0.0, x) * canvas.width + std::min(0.0, y) * canvas.height;
  const double high = std::max(0.0, x) * canvas.width + std::max(0.0, y) * canvas.height;
  const double radius = std::max(2.0, kRadius * (high - low));
  const double reach = kShadowReach * radius, rollReach = 1.55 * kRollShadowReach * radius;
  const double fold = std::lerp(high, low - radius - rollReach, progress);
  curl.shadowReach = rounded(reach * 256);
  curl.shadowSlope = (256 << 16) / curl.shadowReach;
  // The far end of the page that lies over itself.
  const double firstDistance = std::min(-1.0, pi * radius - (high - fold) - reach - 1);
  const double lastDistance = radius + rollReach;
  curl.first = rounded((fold + firstDistance) * kUnit);
  for (double distance = firstDistance; distance < lastDistance + kStepPixels; distance += kStepPixels)
    curl.steps.push_back(stepAt(distance, radius));
  return curl;
}

}  // namespace framewright
