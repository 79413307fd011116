#include "compositor/cpu/transition_color.h"

#include <cmath>

#include "compositor/cpu/draw_fill.h"
#include "compositor/cpu/mask_rows.h"
#include "kernels/blend.h"

namespace framewright {
namespace {

constexpr double kHold = 0.2;  // part of the time in which only one of the two halves of a fade moves
constexpr uint8_t kNeutral = 128;

struct Shares {
  double from, to;  // the rest is the colour between
};

Shares sharesOf(double progress) {
  const double left = 1 - progress;
  return {left * smoothStep(1 - kHold, 1, left), progress * (1 - smoothStep(kHold, 1, left))};
}

void fadePlane(const Plane& frame, const Plane& to, double progress) {
  for (int y = 0; y < frame.height; ++y) {
    uint8_t* const row = rowOf(frame, y);
    kernels::lerpRow(row, row, rowOf(to, y), static_cast<size_t>(frame.width), toWeight(progress));
  }
}

void fadePlaneThrough(const Plane& frame, const Plane& to, const Shares& shares, uint8_t value) {
  const double both = shares.from + shares.to;
  const uint16_t towards = toWeight(both > 0 ? shares.to / both : 0), fill = toWeight(1 - both);
  for (int y = 0; y < frame.height; ++y) {
    uint8_t* const row = rowOf(frame, y);
    const auto count = static_cast<size_t>(frame.width);
    kernels::lerpRow(row, row, rowOf(to, y), count, towards);
    kernels::fillRow(row, value, count, fill);
  }
}

// Squared distances of the chroma samples of a row.
void squareChroma(int32_t* out, const Crossing& c, int y) {
  const Plane &u = c.frame.plane(1), &v = c.frame.plane(2);
  const uint8_t *fromU = rowOf(u, y), *fromV = rowOf(v, y);
  const uint8_t *toU = rowOf(c.to->plane(1), y), *toV = rowOf(c.to->plane(2), y);
  for (int x = 0; x < u.width; ++x) {
    const int du = fromU[x] - toU[x], dv = fromV[x] - toV[x];
    out[x] = du * du + dv * dv;
  }
}

}  // namespace

void fade(const Crossing& c) {
  for (int p = 0; p < 3; ++p) fadePlane(c.frame.plane(p), c.to->plane(p), c.progress);
}

void fadeThrough(const Crossing& c, const Color& color) {
  const auto values = yuvOf(color);
  const Shares shares = sharesOf(c.progress);
  for (int p = 0; p < 3; ++p) {
    fadePlaneThrough(c.frame.plane(p), c.to->plane(p), shares, values[static_cast<size_t>(p)]);
  }
}

void fadeThroughGrays(const Crossing& c) {
  const Shares shares = sharesOf(c.progress);
  fadePlane(c.frame.plane(0), c.to->plane(0), c.progress);
  for (int p = 1; p < 3; ++p) fadePlaneThrough(c.frame.plane(p), c.to->plane(p), shares, kNeutral);
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

void fadeByDifference(const Crossing& c, FadeOrder order) {
  const std::array<int16_t, 511> steps = differenceSteps(c.progress, order);
  for (int p = 0; p < 3; ++p) {
    const Plane &frame = c.frame.plane(p), &to = c.to->plane(p);
    for (int y = 0; y < frame.height; ++y) {
      uint8_t* const row = rowOf(frame, y);
      const uint8_t* const towards = rowOf(to, y);
      for (int x = 0; x < frame.width; ++x) {
        row[x] = static_cast<uint8_t>(row[x] + steps[static_cast<size_t>(towards[x] - row[x] + 255)]);
      }
    }
  }
}

int32_t distanceLimit(double progress) {
  const double reach = (1 - progress) * 255;
  return static_cast<int32_t>(reach * reach);
}

void fadeByDistance(const Crossing& c) {
  const Plane &frame = c.frame.plane(0), &to = c.to->plane(0);
  const int32_t limit = distanceLimit(c.progress);
  const uint16_t fading = toWeight(c.progress);
  std::vector<int32_t>& chroma = c.buffers.columns;
  chroma.resize(static_cast<size_t>(c.frame.plane(1).width));
  overMasked(c, {c.to, {}}, [&](int y, uint16_t* weights) {
    if (y % 2 == 0) squareChroma(chroma.data(), c, y / 2);
    const uint8_t *old = rowOf(frame, y), *next = rowOf(to, y);
    for (int x = 0; x < frame.width; ++x) {
      const int luma = old[x] - next[x];
      const bool near = luma * luma + chroma[static_cast<size_t>(x / 2)] <= limit;
      weights[x] = near ? fading : kernels::kFullWeight;
    }
  });
}

}  // namespace framewright
