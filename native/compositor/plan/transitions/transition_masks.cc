#include "compositor/plan/transitions/transition_masks.h"

#include <cmath>

#include "compositor/plan/coverage.h"
#include "compositor/plan/transitions/transition_steps.h"

namespace framewright {
namespace {

float distanceFromMiddle(float x, float y, float width, float height) {
  return std::hypot(x - width / 2, y - height / 2) / std::hypot(width / 2, height / 2);
}

constexpr float kFullTurn = 6.2831853F;

float angle(float x, float y, float width, float height) {
  return 0.5F + std::atan2(x - width / 2, y - height / 2) / kFullTurn;
}

template <bool kRight, bool kBottom>
float cornerProduct(float x, float y, float width, float height) {
  return (kRight ? 1 - x / width : x / width) * (kBottom ? 1 - y / height : y / height);
}

float grain(float x, float y, float, float) {
  return hashNoise(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
}

constexpr float kGust = 0.2F;  // part of the distance by which rows differ

template <bool kAcross, bool kBackwards>
float wind(float x, float y, float width, float height) {
  const float along = kAcross ? x / width : y / height;
  const float own = kAcross ? hashNoise(0, static_cast<uint32_t>(y)) : hashNoise(static_cast<uint32_t>(x), 0);
  return (kBackwards ? 1 - along : along) * (1 - kGust) + own * kGust;
}

double soft(double x) { return smoothStep(0, 1, x); }

MaskShape along(Axis axis) { return axis == Axis::kX ? MaskShape::kColumns : MaskShape::kRows; }

TransitionMask patterned(const TransitionPattern& pattern, std::function<double(double)> weightAt) {
  return {MaskShape::kPattern, std::move(weightAt), pattern};
}

}  // namespace

float hashNoise(uint32_t x, uint32_t y) {
  uint32_t h = x * 0x9E3779B1U ^ (y * 0x85EBCA77U + 0x165667B1U);
  h = (h ^ (h >> 15)) * 0x2C1B3C6DU;
  h = (h ^ (h >> 12)) * 0x297A2D39U;
  return static_cast<float>((h ^ (h >> 15)) >> 8) / static_cast<float>(1 << 24);
}

void fillAxisWeights(std::vector<uint16_t>& weights, int count,
                     const std::function<double(double)>& weightAt) {
  weights.resize(static_cast<size_t>(count));
  for (int k = 0; k < count; ++k) weights[static_cast<size_t>(k)] = toWeight(weightAt((k + 0.5) / count));
}

TransitionMask smoothWipeMask(double progress, const CanvasSize&, Heading heading) {
  const double shift = 2 * progress - 1;
  return {along(heading.axis()), [=](double at) { return soft((heading.sign() < 0 ? at : 1 - at) + shift); }};
}

TransitionMask doorsMask(double progress, const CanvasSize&, Heading heading) {
  const double shift = 2 * progress;
  return {along(heading.axis()), [=](double at) {
            const double fromMiddle = std::abs(2 * at - 1);
            return soft(heading.sign() > 0 ? shift - fromMiddle : fromMiddle - 1 + shift);
          }};
}

TransitionMask slicesMask(double progress, const CanvasSize& canvas, Heading heading) {
  constexpr int kSlices = 10, kSubpixels = 16;  // for antialiased edges
  const double pixel = 1.0 / (heading.axis() == Axis::kX ? canvas.width : canvas.height);
  return {along(heading.axis()), [=](double at) {
            int shown = 0;
            for (int part = 0; part < kSubpixels; ++part) {
              const double here = at + ((part + 0.5) / kSubpixels - 0.5) * pixel;
              const double position = heading.sign() < 0 ? here : 1 - here;
              const double open = smoothStep(-0.5, 0, position - (1 - progress) * 1.5);
              const double inSlice = kSlices * position - std::floor(kSlices * position);
              shown += open > inSlice ? 1 : 0;
            }
            return shown / static_cast<double>(kSubpixels);
          }};
}

TransitionMask cornerWipeMask(double progress, const CanvasSize& canvas, Heading corner) {
  const double width = canvas.width, height = canvas.height, left = 1 - progress;
  return {.shape = MaskShape::kOutside,
          .uncovered = {corner.x < 0 ? 0 : width * progress, corner.y < 0 ? 0 : height * progress,
                        width * left, height * left}};
}

TransitionMask rectCropMask(double progress, const CanvasSize& canvas, Heading) {
  const double width = canvas.width, height = canvas.height, share = std::abs(1 - 2 * progress);
  return {.shape = MaskShape::kOutside,
          .uncovered = {width * (1 - share) / 2, height * (1 - share) / 2, width * share, height * share},
          .isBlack = true};
}

TransitionMask circleCropMask(double progress, const CanvasSize& canvas, Heading) {
  const double reach = std::hypot(canvas.width / 2.0, canvas.height / 2.0);
  const double radius = std::pow(std::abs(1 - 2 * progress), 3) * reach;
  TransitionMask mask = patterned(distanceFromMiddle,
                                  [=](double at) { return std::clamp(at * reach - radius + 0.5, 0.0, 1.0); });
  mask.isBlack = true;
  return mask;
}

TransitionMask irisMask(double progress, const CanvasSize&, Heading heading) {
  const double shift = 3 * (progress - 0.5);
  return patterned(distanceFromMiddle,
                   [=](double at) { return heading.sign() > 0 ? 1 - soft(at - shift) : soft(at + shift); });
}

TransitionMask clockMask(double progress, const CanvasSize&, Heading) {
  // The angle covers 1.25 turns to include the soft edge.
  const double shift = (progress - 0.5) * 1.25;
  return patterned(angle,
                   [=](double at) { return soft((at - 0.5 + shift) * static_cast<double>(kFullTurn)); });
}

TransitionMask diagonalMask(double progress, const CanvasSize&, Heading corner) {
  const double shift = 2 * progress - 1;
  const PatternValue top = corner.x < 0 ? cornerProduct<false, false> : cornerProduct<true, false>;
  const PatternValue bottom = corner.x < 0 ? cornerProduct<false, true> : cornerProduct<true, true>;
  return patterned(corner.y < 0 ? top : bottom, [=](double at) { return soft(at + shift); });
}

TransitionMask windMask(double progress, const CanvasSize&, Heading heading) {
  const PatternValue across = heading.x < 0 ? wind<true, true> : wind<true, false>;
  const PatternValue down = heading.y < 0 ? wind<false, true> : wind<false, false>;
  const double gust = static_cast<double>(kGust), reached = progress * (1 + gust);
  return patterned(heading.axis() == Axis::kX ? across : down,
                   [=](double at) { return soft((reached - at) / gust); });
}

TransitionMask dissolveMask(double progress, const CanvasSize&, Heading) {
  return patterned(grain, [=](double at) { return at < progress ? 1.0 : 0.0; });
}

TransitionMask lumaMask(double progress, const LumaWipe& wipe,
                        const std::shared_ptr<const PlanarImage>& image) {
  constexpr double kMinEdge = 1.0 / 128;  // antialiases edges of gradients
  const double edge = std::max(wipe.softness, kMinEdge), front = progress * (1 + edge);
  return patterned(TransitionPattern(image), [=, isInverted = wipe.isInverted](double at) {
    return soft((front - (isInverted ? 1 - at : at)) / edge);
  });
}

}  // namespace framewright
