#include "compositor/plan/transitions/transition_light.h"

#include <array>
#include <cmath>
#include <span>

#include "compositor/plan/color.h"
#include "compositor/plan/coverage.h"
#include "compositor/plan/transitions/transition_masks.h"
#include "compositor/plan/transitions/transition_steps.h"

namespace framewright {
namespace {

// A colour and its opacity at a position of a gradient.
struct Stop {
  double at;
  std::array<double, 3> rgb;
  double opacity;
};

struct Light {
  std::array<double, 3> rgb{};
  double opacity = 0;
};

// The gradient at a position; the first and the last stop continue.
Light gradientAt(std::span<const Stop> stops, double at) {
  if (at <= stops.front().at) return {stops.front().rgb, stops.front().opacity};
  for (size_t i = 1; i < stops.size(); ++i) {
    const Stop &left = stops[i - 1], &right = stops[i];
    if (at > right.at) continue;
    const double share = smoothStep(left.at, right.at, at);
    Light light{{}, std::lerp(left.opacity, right.opacity, share)};
    for (size_t c = 0; c < 3; ++c) light.rgb[c] = std::lerp(left.rgb[c], right.rgb[c], share);
    return light;
  }
  return {stops.back().rgb, stops.back().opacity};
}

template <class ToAt, class LightAt>
LightTables makeTables(const ToAt& toAt, const LightAt& lightAt) {
  LightTables tables;
  const auto byte = [](double value) { return static_cast<uint8_t>(std::lround(value)); };
  for (int k = 0; k < kPatternSteps; ++k) {
    const double at = (k + 0.5) / kPatternSteps;
    const Light light = lightAt(at);
    tables.toWeights.push_back(toWeight(toAt(at)));
    tables.lightWeights.push_back(toWeight(light.opacity));
    const auto yuv = yuvOf({byte(light.rgb[0]), byte(light.rgb[1]), byte(light.rgb[2]), 255});
    for (size_t p = 0; p < 3; ++p) {
      tables.colors[p].push_back(yuv[p]);
      tables.signals[p].push_back(static_cast<float>(light.rgb[p] / 255));
    }
  }
  return tables;
}

float smooth(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }

float mix(float a, float b, float share) { return a + (b - a) * share; }

// Noise with a cell size of 1, 0 … 1.
float valueNoise(float x, float y, uint32_t seed) {
  constexpr int kOffset = 4096;  // so that conversions round down
  const int left = static_cast<int>(x + kOffset) - kOffset, top = static_cast<int>(y + kOffset) - kOffset;
  const uint32_t column = static_cast<uint32_t>(left) + seed * 101,
                 row = static_cast<uint32_t>(top) + seed * 57;
  const float across = smooth(x - static_cast<float>(left)), down = smooth(y - static_cast<float>(top));
  const float upper = mix(hashNoise(column, row), hashNoise(column + 1, row), across);
  const float lower = mix(hashNoise(column, row + 1), hashNoise(column + 1, row + 1), across);
  return mix(upper, lower, down);
}

float fractalNoise(float x, float y, int octaves, uint32_t seed) {
  float sum = 0, amplitude = 0.5F;
  for (int i = 0; i < octaves; ++i, amplitude /= 2) {
    // Rotated, since value noise shows its lattice.
    const float rotatedX = 1.62F * x + 1.22F * y, rotatedY = 1.62F * y - 1.22F * x;
    x = rotatedX;
    y = rotatedY;
    sum += amplitude * valueNoise(x, y, seed + static_cast<uint32_t>(i));
  }
  return sum / (1 - 2 * amplitude);
}

// Distance along the sweep of the light, from the left to the right, bent by slow noise. Grain hides the
// steps of 8-bit gradients.
float leakPattern(float x, float y, float width, float height) {
  const float size = std::max(width, height), u = x / size, v = y / size;
  const float slope = width >= height ? 0.30F : 0.45F;
  const float along = (x / width + slope * (1 - y / height)) / (1 + slope);
  const float bend = fractalNoise(1.1F * u + 5, 1.1F * v + 9, 2, 3) - 0.5F;
  const float grain = hashNoise(static_cast<uint32_t>(x), static_cast<uint32_t>(y)) - 0.5F;
  return std::clamp(0.04F + 0.86F * along + 0.42F * bend + 0.004F * grain, 0.0F, 1.0F);
}

template <bool kAcross, bool kBackwards>
float leakTowards(float x, float y, float width, float height) {
  const float along = kAcross ? x : y, length = kAcross ? width : height;
  return leakPattern(kBackwards ? length - along : along, kAcross ? y : x, length, kAcross ? height : width);
}

constexpr float kLate = 0.7F, kLateReach = 0.2F;

// The moment at which a pixel burns: holes start at a few places and grow, with ragged edges.
float burnPattern(float x, float y, float width, float height) {
  struct Start {
    float x, y, delay;
  };
  constexpr Start kStarts[] = {{0.08F, 0.22F, 0.02F},
                               {0.94F, 0.80F, 0.0F},
                               {0.60F, 0.38F, 0.16F},
                               {0.30F, 1.02F, 0.10F},
                               {0.86F, -0.02F, 0.2F}};
  const float size = std::max(width, height);
  const float u = x / size, v = y / size;
  float distance = 4;
  for (const Start& start : kStarts) {
    const float dx = u - start.x * width / size, dy = v - start.y * height / size;
    distance = std::min(distance, std::sqrt(dx * dx + dy * dy) + start.delay);
  }
  const float ragged = fractalNoise(2.7F * u + 20, 2.7F * v + 11, 5, 17) - 0.5F;
  const float fibres = fractalNoise(17 * u + 3, 17 * v + 7, 2, 41) - 0.5F;
  const float at = std::max(0.0F, 0.01F + 1.9F * distance + 0.74F * ragged + 0.09F * fibres);
  // The last places burn before the end.
  return at < kLate ? at : kLate + kLateReach * std::tanh((at - kLate) / kLateReach);
}

// By the distance behind the front of the burn.
constexpr Stop kBurn[] = {
    {-0.20, {255, 110, 20}, 0},   {-0.10, {206, 74, 16}, 0.30},  {-0.045, {70, 22, 6}, 0.86},
    {-0.018, {226, 66, 4}, 0.97}, {0.0, {255, 150, 24}, 1},      {0.014, {255, 226, 130}, 1},
    {0.034, {255, 250, 232}, 1},  {0.05, {255, 236, 180}, 0.85}, {0.09, {255, 190, 100}, 0.34},
    {0.19, {255, 150, 60}, 0},
};

// How strongly red, green and blue are exposed: weak light is red, strong light nearly white.
constexpr double kExposure[] = {2.4, 0.6, 0.28};
constexpr double kLeakReach = 0.45;  // of the light before and behind its core
constexpr double kCoreAt = 0.045, kCoreWidth = 0.075;

// The light of a leak at a distance behind its front, over a glow of the whole canvas.
Light leakAt(double distance, double glow) {
  const double fromCore = (distance - kCoreAt) / kLeakReach;
  const double halo = std::pow(std::max(0.0, 1 - fromCore * fromCore), 2);
  const double core = std::exp(-std::pow((distance - kCoreAt) / kCoreWidth, 2));
  const double energy = 0.75 * halo + 4.6 * core + glow;
  double exposed[3];
  for (size_t c = 0; c < 3; ++c) exposed[c] = 1 - std::exp(-kExposure[c] * energy);
  // Less than the red channel, so that the sides stay visible through weak light.
  Light light{{}, (exposed[0] + exposed[1]) / 2};
  if (light.opacity <= 0) return light;
  for (size_t c = 0; c < 3; ++c) light.rgb[c] = 255 * std::min(1.0, exposed[c] / light.opacity);
  return light;
}

}  // namespace

TransitionLight lightLeak(double progress, Heading heading) {
  const PatternValue across = heading.x < 0 ? leakTowards<true, true> : leakTowards<true, false>;
  const PatternValue down = heading.y < 0 ? leakTowards<false, true> : leakTowards<false, false>;
  const double front = std::lerp(-kLeakReach, 1 + kLeakReach + 2 * kCoreAt, progress);
  const double glow = 0.16 * smoothStep(0, 0.5, std::min(progress, 1 - progress));
  return {heading.axis() == Axis::kX ? across : down,
          makeTables([=](double at) { return smoothStep(0, 0.09, front - at); },
                     [=](double at) { return leakAt(front - at, glow); })};
}

TransitionLight filmBurn(double progress, Heading) {
  const double front = std::lerp(-0.20, static_cast<double>(kLate + kLateReach) + 0.20, progress);
  return {burnPattern, makeTables([=](double at) { return smoothStep(0.012, 0.03, front - at); },
                                  [=](double at) { return gradientAt(kBurn, front - at); })};
}

}  // namespace framewright
