#include "compositor/cpu/transitions/draw_transition.h"
#include "compositor/cpu/transitions/overlay_rows.h"
#include "compositor/plan/color.h"
#include "kernels/blend/blend.h"

// Transitions that change colours independent of position.
namespace framewright {
namespace {

constexpr uint8_t kNeutral = 128;  // neutral chroma

void fadePlane(const TransitionFrame& c, int p, double progress) {
  const Plane &frame = c.frame.plane(p), &to = c.to->plane(p);
  for (int y = 0; y < frame.height; ++y) {
    kernels::overRow(rowOf(frame, y), rowOf(to, y), nullptr, static_cast<size_t>(frame.width),
                     toWeight(progress), c.rounding(y));
  }
}

void fadePlaneThrough(const TransitionFrame& c, int p, const FadeThroughColor& fade, uint8_t value) {
  const Plane &frame = c.frame.plane(p), &to = c.to->plane(p);
  const uint16_t towards = toWeight(fade.towardsNext), fill = toWeight(fade.towardsColor);
  for (int y = 0; y < frame.height; ++y) {
    uint8_t* const row = rowOf(frame, y);
    const auto count = static_cast<size_t>(frame.width);
    kernels::overRow(row, rowOf(to, y), nullptr, count, towards, c.rounding(y));
    kernels::fillRow(row, value, count, fill, c.rounding(y));
  }
}

// Squared distances of a row's chroma samples.
void squareChroma(int32_t* out, const TransitionFrame& c, int y) {
  const Plane &u = c.frame.plane(1), &v = c.frame.plane(2);
  const uint8_t *fromU = rowOf(u, y), *fromV = rowOf(v, y);
  const uint8_t *toU = rowOf(c.to->plane(1), y), *toV = rowOf(c.to->plane(2), y);
  for (int x = 0; x < u.width; ++x) {
    const int du = fromU[x] - toU[x], dv = fromV[x] - toV[x];
    out[x] = du * du + dv * dv;
  }
}

}  // namespace

void fade(const TransitionFrame& c, double progress) {
  for (int p = 0; p < 3; ++p) fadePlane(c, p, progress);
}

void fadeThroughColor(const TransitionFrame& c, const Color& color) {
  const auto values = yuvOf(color);
  const FadeThroughColor fade = fadeThroughColor(c.progress);
  for (int p = 0; p < 3; ++p) fadePlaneThrough(c, p, fade, values[static_cast<size_t>(p)]);
}

void fadeThroughGray(const TransitionFrame& c) {
  const FadeThroughColor fade = fadeThroughColor(c.progress);
  fadePlane(c, 0, c.progress);
  for (int p = 1; p < 3; ++p) fadePlaneThrough(c, p, fade, kNeutral);
}

void fadeByDifference(const TransitionFrame& c, FadeOrder order) {
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

void fadeByDistance(const TransitionFrame& c) {
  const Plane &frame = c.frame.plane(0), &to = c.to->plane(0);
  const int32_t limit = maxFadingDistance(c.progress);
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
