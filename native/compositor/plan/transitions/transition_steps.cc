#include "compositor/plan/transitions/transition_steps.h"

#include <cmath>

namespace framewright {

FadeThroughColor fadeThroughColor(double progress) {
  constexpr double kHold = 0.2;  // share of the time in which only one half of the fade changes
  const double left = 1 - progress;
  const double from = left * smoothStep(1 - kHold, 1, left), to = progress * (1 - smoothStep(kHold, 1, left));
  const double both = from + to;
  return {both > 0 ? to / both : 0, 1 - both};
}

std::array<int16_t, 511> differenceSteps(double progress, FadeOrder order) {
  std::array<int16_t, 511> steps{};
  for (int difference = -255; difference <= 255; ++difference) {
    const double share = std::abs(difference) / 255.0;
    const double slowness = 1 + std::log(order == FadeOrder::kFast ? 1 + share : 2 - share);
    const double weight = 1 - std::pow(1 - progress, slowness);
    steps[static_cast<size_t>(difference + 255)] = static_cast<int16_t>(std::lround(difference * weight));
  }
  return steps;
}

int32_t maxFadingDistance(double progress) {
  const double reach = (1 - progress) * 255;
  return static_cast<int32_t>(reach * reach);
}

double blockSize(double progress, const CanvasSize& canvas) {
  // Quantised, so that each size lasts several frames.
  constexpr double kSteps = 50;
  const double steps = std::ceil(std::min(progress, 1 - progress) * kSteps);
  return steps / kSteps * std::min(canvas.width, canvas.height) / 10;
}

int Blocks::blockOf(int sample) const { return static_cast<int>(sample * pixelsPerSample / size); }

int Blocks::middle(int block) const {
  return static_cast<int>(std::min((block + 0.5) * size, pixels - 1.0)) / pixelsPerSample;
}

int blurredSamples(double progress, int canvasWidth, PlaneGroup group, int planeWidth) {
  const double strength = 2 * std::min(progress, 1 - progress);
  const int half = canvasWidth / 2;
  const int size = 1 + static_cast<int>(half * strength);
  return std::clamp(group == PlaneGroup::kLuma ? size : (size + 1) / 2, 1, planeWidth);
}

Rect squeezedBand(double progress, const CanvasSize& canvas, Axis axis) {
  const double width = canvas.width, height = canvas.height, share = 1 - progress;
  if (axis == Axis::kX) return {width * progress / 2, 0, width * share, height};
  return {0, height * progress / 2, width, height * share};
}

SqueezedAxis::SqueezedAxis(int count, double covered)
    : samples(count),
      share(covered),
      taps(std::clamp(static_cast<int>(std::ceil(1 / covered)), 2, kMaxTaps)) {}

int SqueezedAxis::source(int sample, int tap) const {
  const double at = sample + (tap + 0.5) / taps, middle = samples / 2.0;
  return std::clamp(static_cast<int>(middle + (at - middle) / share), 0, samples - 1);
}

}  // namespace framewright
