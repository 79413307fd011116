#include "compositor/cpu/transition_mask.h"

#include <cmath>

#include "compositor/cpu/draw_fill.h"
#include "compositor/cpu/mask_rows.h"
#include "kernels/blend.h"

namespace framewright {
namespace {

using kernels::kFullWeight;

// Fills weights of an axis from `weightAt(position)`, positions 0 … 1 of pixels' middles.
template <class WeightAt>
void fillAxis(uint16_t* weights, int count, const WeightAt& weightAt) {
  for (int k = 0; k < count; ++k) weights[k] = toWeight(weightAt((k + 0.5) / count));
}

void overColumns(const Crossing& c, const uint16_t* weights) {
  const OverlayRows rows({c.to, {}}, c);
  std::vector<uint16_t>& chroma = c.buffers.weights[2];
  halveWeights(chroma.data(), weights, weights, c.frame.plane(1).width);
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < c.frame.plane(p).height; ++y)
      overRowOf(c, rows, p, y, p == 0 ? weights : chroma.data());
  }
}

void overRows(const Crossing& c, const uint16_t* weights) {
  for (int p = 0; p < 3; ++p) {
    const Plane &frame = c.frame.plane(p), &to = c.to->plane(p);
    for (int y = 0; y < frame.height; ++y) {
      const int weight = p == 0 ? weights[y] : (weights[2 * y] + weights[2 * y + 1] + 1) / 2;
      kernels::lerpRow(rowOf(frame, y), rowOf(frame, y), rowOf(to, y), static_cast<size_t>(frame.width),
                       static_cast<uint16_t>(weight));
    }
  }
}

// The same weight all along the other axis.
template <class WeightAt>
void overAxis(const Crossing& c, Axis axis, const WeightAt& weightAt) {
  fitWeights(c);
  const int count = axis == Axis::kX ? c.frame.width() : c.frame.height();
  std::vector<uint16_t>& weights = c.buffers.weights[0];
  weights.resize(static_cast<size_t>(count + count % 2));
  fillAxis(weights.data(), count, weightAt);
  weights.back() = count % 2 == 1 ? weights[static_cast<size_t>(count - 1)] : weights.back();
  if (axis == Axis::kX) {
    overColumns(c, weights.data());
  } else {
    overRows(c, weights.data());
  }
}

// Lays `overlay` over everything outside `rect`.
void overOutside(const Crossing& c, const Overlay& overlay, const Rect& rect) {
  fitWeights(c);
  const OverlayRows source(overlay, c);
  for (int p = 0; p < 3; ++p) {
    RectCoverage& inside = c.buffers.coverage[0];
    inside.cover(rect, c.canvas(), p == 0 ? PlaneGroup::kLuma : PlaneGroup::kChroma);
    const AxisCoverage &columns = inside.columns, &rows = inside.rows;
    const Plane& frame = c.frame.plane(p);
    uint16_t* const weights = c.buffers.weights[0].data();
    for (int y = 0; y < frame.height; ++y) {
      std::fill(weights, weights + frame.width, kFullWeight);
      if (!inside.empty() && y >= rows.first && y < rows.end) {
        for (int x = columns.first; x < columns.end; ++x) {
          weights[x] = static_cast<uint16_t>(kFullWeight - weightProduct(columns.at(x), rows.at(y)));
        }
      }
      overRowOf(c, source, p, y, weights);
    }
  }
}

// Patterns.

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

void fitPattern(const Crossing& c, PatternValue value) {
  CrossingBuffers& b = c.buffers;
  const int width = c.frame.width(), height = c.frame.height();
  if (b.patternOf == value && b.patternWidth == width && b.patternHeight == height) return;
  b.pattern.resize(static_cast<size_t>(width) * static_cast<size_t>(height));
  uint16_t* next = b.pattern.data();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float at = value(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F,
                             static_cast<float>(width), static_cast<float>(height));
      const int step = static_cast<int>(at * kPatternSteps);
      *next++ = static_cast<uint16_t>(std::clamp(step, 0, kPatternSteps - 1));
    }
  }
  b.patternOf = value;
  b.patternWidth = width;
  b.patternHeight = height;
}

// `response(value)` is the overlay's weight where the pattern has that value.
template <class Response>
void overPattern(const Crossing& c, const Overlay& overlay, PatternValue value, const Response& response) {
  fitPattern(c, value);
  std::vector<uint16_t>& weightOf = c.buffers.response;
  weightOf.resize(kPatternSteps);
  fillAxis(weightOf.data(), kPatternSteps, response);
  const int width = c.frame.width();
  overMasked(c, overlay, [&](int y, uint16_t* weights) {
    const uint16_t* const steps =
        c.buffers.pattern.data() + static_cast<size_t>(y) * static_cast<size_t>(width);
    for (int x = 0; x < width; ++x) weights[x] = weightOf[steps[x]];
  });
}

double soft(double x) { return smoothStep(0, 1, x); }

Overlay black() { return {nullptr, yuvOf({0, 0, 0, 255})}; }

}  // namespace

void wipeSmoothly(const Crossing& c, Axis axis, int heading) {
  const double shift = 2 * c.progress - 1;
  overAxis(c, axis, [&](double at) { return soft((heading < 0 ? at : 1 - at) + shift); });
}

void moveDoors(const Crossing& c, Axis axis, Doors doors) {
  const double shift = 2 * c.progress;
  overAxis(c, axis, [&](double at) {
    const double fromMiddle = std::abs(2 * at - 1);
    return soft(doors == Doors::kOpen ? shift - fromMiddle : fromMiddle - 1 + shift);
  });
}

void turnSlices(const Crossing& c, Axis axis, int heading) {
  constexpr int kSlices = 10, kParts = 16;  // parts of a pixel, for a smooth edge
  const double pixel = 1.0 / (axis == Axis::kX ? c.frame.width() : c.frame.height());
  overAxis(c, axis, [&](double at) {
    int shown = 0;
    for (int part = 0; part < kParts; ++part) {
      const double here = at + ((part + 0.5) / kParts - 0.5) * pixel;
      const double way = heading < 0 ? here : 1 - here;
      const double open = smoothStep(-0.5, 0, way - (1 - c.progress) * 1.5);
      const double inSlice = kSlices * way - std::floor(kSlices * way);
      shown += open > inSlice ? 1 : 0;
    }
    return shown / static_cast<double>(kParts);
  });
}

void wipeCorner(const Crossing& c, Heading corner) {
  const double width = c.frame.width(), height = c.frame.height(), left = 1 - c.progress;
  overOutside(c, {c.to, {}},
              {corner.x < 0 ? 0 : width * c.progress, corner.y < 0 ? 0 : height * c.progress, width * left,
               height * left});
}

void cropRect(const Crossing& c) {
  const double width = c.frame.width(), height = c.frame.height();
  const double share = std::abs(1 - 2 * c.progress);
  overOutside(c, black(), {width * (1 - share) / 2, height * (1 - share) / 2, width * share, height * share});
}

void cropCircle(const Crossing& c) {
  const double reach = std::hypot(c.frame.width() / 2.0, c.frame.height() / 2.0);
  const double radius = std::pow(std::abs(1 - 2 * c.progress), 3) * reach;
  overPattern(c, black(), distanceFromMiddle,
              [&](double at) { return std::clamp(at * reach - radius + 0.5, 0.0, 1.0); });
}

void moveIris(const Crossing& c, Doors doors) {
  const double shift = 3 * (c.progress - 0.5);
  overPattern(c, {c.to, {}}, distanceFromMiddle,
              [&](double at) { return doors == Doors::kOpen ? 1 - soft(at - shift) : soft(at + shift); });
}

void sweep(const Crossing& c) {
  // A quarter more than a turn, for the width of the soft edge.
  const double shift = (c.progress - 0.5) * 1.25;
  overPattern(c, {c.to, {}}, angle,
              [&](double at) { return soft((at - 0.5 + shift) * static_cast<double>(kTurn)); });
}

void wipeDiagonally(const Crossing& c, Heading corner) {
  const double shift = 2 * c.progress - 1;
  const PatternValue top = corner.x < 0 ? cornerProduct<false, false> : cornerProduct<true, false>;
  const PatternValue bottom = corner.x < 0 ? cornerProduct<false, true> : cornerProduct<true, true>;
  overPattern(c, {c.to, {}}, corner.y < 0 ? top : bottom, [&](double at) { return soft(at + shift); });
}

void blow(const Crossing& c, Heading heading) {
  const PatternValue across = heading.x < 0 ? wind<true, true> : wind<true, false>;
  const PatternValue down = heading.y < 0 ? wind<false, true> : wind<false, false>;
  const double gust = static_cast<double>(kGust), reached = c.progress * (1 + gust);
  overPattern(c, {c.to, {}}, heading.x != 0 ? across : down,
              [&](double at) { return soft((reached - at) / gust); });
}

void dissolve(const Crossing& c) {
  overPattern(c, {c.to, {}}, grain, [&](double at) { return at < c.progress ? 1.0 : 0.0; });
}

}  // namespace framewright
