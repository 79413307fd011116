#include "compositor/cpu/transition_mask.h"

#include <cmath>

// What the masks look like. They are drawn by draw_mask.cc, and on graphics devices.
namespace framewright {
namespace {

float distanceFromMiddle(float x, float y, float width, float height) {
  return std::hypot(x - width / 2, y - height / 2) / std::hypot(width / 2, height / 2);
}

constexpr float kTurn = 6.2831853F;

float angle(float x, float y, float width, float height) {
  return 0.5F + std::atan2(x - width / 2, y - height / 2) / kTurn;
}

template <bool kRight, bool kBottom>
float cornerProduct(float x, float y, float width, float height) {
  return (kRight ? 1 - x / width : x / width) * (kBottom ? 1 - y / height : y / height);
}

// Evenly spread over 0 … 1, the same on every machine.
float noise(uint32_t x, uint32_t y) {
  uint32_t h = x * 0x9E3779B1U ^ (y * 0x85EBCA77U + 0x165667B1U);
  h = (h ^ (h >> 15)) * 0x2C1B3C6DU;
  h = (h ^ (h >> 12)) * 0x297A2D39U;
  return static_cast<float>((h ^ (h >> 15)) >> 8) / static_cast<float>(1 << 24);
}

float grain(float x, float y, float, float) {
  return noise(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
}

constexpr float kGust = 0.2F;  // part of the way by which rows differ

template <bool kAcross, bool kBackwards>
float wind(float x, float y, float width, float height) {
  const float along = kAcross ? x / width : y / height;
  const float own = kAcross ? noise(0, static_cast<uint32_t>(y)) : noise(static_cast<uint32_t>(x), 0);
  return (kBackwards ? 1 - along : along) * (1 - kGust) + own * kGust;
}

double soft(double x) { return smoothStep(0, 1, x); }

MaskShape along(Axis axis) { return axis == Axis::kX ? MaskShape::kColumns : MaskShape::kRows; }

TransitionMask patterned(PatternValue pattern, std::function<double(double)> weightAt) {
  return {MaskShape::kPattern, std::move(weightAt), pattern};
}

}  // namespace

void fillAxisWeights(std::vector<uint16_t>& weights, int count,
                     const std::function<double(double)>& weightAt) {
  weights.resize(static_cast<size_t>(count));
  for (int k = 0; k < count; ++k) weights[static_cast<size_t>(k)] = toWeight(weightAt((k + 0.5) / count));
}

void fillPattern(std::vector<uint16_t>& steps, PatternValue pattern, const CanvasSize& canvas) {
  const auto width = static_cast<float>(canvas.width), height = static_cast<float>(canvas.height);
  steps.resize(static_cast<size_t>(canvas.width) * static_cast<size_t>(canvas.height));
  uint16_t* next = steps.data();
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      const float at = pattern(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, width, height);
      const int step = static_cast<int>(at * kPatternSteps);
      *next++ = static_cast<uint16_t>(std::clamp(step, 0, kPatternSteps - 1));
    }
  }
}

TransitionMask wipeSmoothly(double progress, Axis axis, int heading) {
  const double shift = 2 * progress - 1;
  return {along(axis), [=](double at) { return soft((heading < 0 ? at : 1 - at) + shift); }};
}

TransitionMask moveDoors(double progress, Axis axis, Doors doors) {
  const double shift = 2 * progress;
  return {along(axis), [=](double at) {
            const double fromMiddle = std::abs(2 * at - 1);
            return soft(doors == Doors::kOpen ? shift - fromMiddle : fromMiddle - 1 + shift);
          }};
}

TransitionMask turnSlices(double progress, const CanvasSize& canvas, Axis axis, int heading) {
  constexpr int kSlices = 10, kParts = 16;  // parts of a pixel, for a smooth edge
  const double pixel = 1.0 / (axis == Axis::kX ? canvas.width : canvas.height);
  return {along(axis), [=](double at) {
            int shown = 0;
            for (int part = 0; part < kParts; ++part) {
              const double here = at + ((part + 0.5) / kParts - 0.5) * pixel;
              const double way = heading < 0 ? here : 1 - here;
              const double open = smoothStep(-0.5, 0, way - (1 - progress) * 1.5);
              const double inSlice = kSlices * way - std::floor(kSlices * way);
              shown += open > inSlice ? 1 : 0;
            }
            return shown / static_cast<double>(kParts);
          }};
}

TransitionMask wipeCorner(double progress, const CanvasSize& canvas, Heading corner) {
  const double width = canvas.width, height = canvas.height, left = 1 - progress;
  return {.shape = MaskShape::kOutside,
          .bare = {corner.x < 0 ? 0 : width * progress, corner.y < 0 ? 0 : height * progress, width * left,
                   height * left}};
}

TransitionMask cropRect(double progress, const CanvasSize& canvas) {
  const double width = canvas.width, height = canvas.height, share = std::abs(1 - 2 * progress);
  return {.shape = MaskShape::kOutside,
          .bare = {width * (1 - share) / 2, height * (1 - share) / 2, width * share, height * share},
          .isBlack = true};
}

TransitionMask cropCircle(double progress, const CanvasSize& canvas) {
  const double reach = std::hypot(canvas.width / 2.0, canvas.height / 2.0);
  const double radius = std::pow(std::abs(1 - 2 * progress), 3) * reach;
  TransitionMask mask = patterned(distanceFromMiddle,
                                  [=](double at) { return std::clamp(at * reach - radius + 0.5, 0.0, 1.0); });
  mask.isBlack = true;
  return mask;
}

TransitionMask moveIris(double progress, Doors doors) {
  const double shift = 3 * (progress - 0.5);
  return patterned(distanceFromMiddle, [=](double at) {
    return doors == Doors::kOpen ? 1 - soft(at - shift) : soft(at + shift);
  });
}

TransitionMask sweep(double progress) {
  // A quarter more than a turn, for the width of the soft edge.
  const double shift = (progress - 0.5) * 1.25;
  return patterned(angle, [=](double at) { return soft((at - 0.5 + shift) * static_cast<double>(kTurn)); });
}

TransitionMask wipeDiagonally(double progress, Heading corner) {
  const double shift = 2 * progress - 1;
  const PatternValue top = corner.x < 0 ? cornerProduct<false, false> : cornerProduct<true, false>;
  const PatternValue bottom = corner.x < 0 ? cornerProduct<false, true> : cornerProduct<true, true>;
  return patterned(corner.y < 0 ? top : bottom, [=](double at) { return soft(at + shift); });
}

TransitionMask blow(double progress, Heading heading) {
  const PatternValue across = heading.x < 0 ? wind<true, true> : wind<true, false>;
  const PatternValue down = heading.y < 0 ? wind<false, true> : wind<false, false>;
  const double gust = static_cast<double>(kGust), reached = progress * (1 + gust);
  return patterned(heading.x != 0 ? across : down, [=](double at) { return soft((reached - at) / gust); });
}

TransitionMask dissolve(double progress) {
  return patterned(grain, [=](double at) { return at < progress ? 1.0 : 0.0; });
}

}  // namespace framewright
