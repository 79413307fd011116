#include "timeline/timeline.h"

#include <algorithm>

namespace framewright {

double Curve::at(double frame) const {
  if (keyframes.empty()) return constant;
  if (frame <= keyframes.front().frame) return keyframes.front().value;
  if (frame >= keyframes.back().frame) return keyframes.back().value;
  const auto next = std::upper_bound(keyframes.begin(), keyframes.end(), frame,
                                     [](double f, const Keyframe& keyframe) { return f < keyframe.frame; });
  const Keyframe& from = *(next - 1);
  const double progress = (frame - from.frame) / (next->frame - from.frame);
  return from.value + (next->value - from.value) * ease(from.easing, progress);
}

double Curve::maximum() const {
  double value = keyframes.empty() ? constant : keyframes.front().value;
  for (const Keyframe& keyframe : keyframes) value = std::max(value, keyframe.value);
  return value;
}

double Curve::minimum() const {
  double value = keyframes.empty() ? constant : keyframes.front().value;
  for (const Keyframe& keyframe : keyframes) value = std::min(value, keyframe.value);
  return value;
}

Rect CropCurves::at(double frame) const {
  const Rect crop{x.at(frame), y.at(frame), width.at(frame), height.at(frame)};
  const auto isConstant = [](const Curve& curve) { return curve.keyframes.empty(); };
  if (isConstant(x) && isConstant(y) && isConstant(width) && isConstant(height)) return crop;
  // Easings may overshoot the source.
  constexpr double kMinSize = 1e-4;
  const double left = std::clamp(crop.x, 0.0, 1 - kMinSize), top = std::clamp(crop.y, 0.0, 1 - kMinSize);
  return {left, top, std::clamp(crop.width, kMinSize, 1 - left), std::clamp(crop.height, kMinSize, 1 - top)};
}

Rect CropCurves::smallest() const { return {x.minimum(), y.minimum(), width.minimum(), height.minimum()}; }

int64_t sampleAtFrame(const Timeline& timeline, int64_t frame) {
  // Rounds to the nearest sample; 128 bits cannot overflow for any frame rate.
  const __int128 numerator = static_cast<__int128>(frame) * kSampleRate * timeline.fps.den;
  const __int128 rounded = (2 * numerator + timeline.fps.num) / (2 * static_cast<__int128>(timeline.fps.num));
  return static_cast<int64_t>(rounded);
}

}  // namespace framewright
