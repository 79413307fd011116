#include "compositor/cpu/transition_motion.h"

#include <cmath>
#include <cstring>

#include "compositor/cpu/transition_color.h"
#include "kernels/blend.h"

namespace framewright {
namespace {

struct Offset {
  double x, y;
};

// The new picture comes in from the side that the movement leaves.
Offset entering(const Crossing& c, Heading heading) {
  const double left = c.progress - 1;
  return {heading.x * left * c.frame.width(), heading.y * left * c.frame.height()};
}

Offset leaving(const Crossing& c, Heading heading) {
  return {heading.x * c.progress * c.frame.width(), heading.y * c.progress * c.frame.height()};
}

// `endless` keeps the border between two touching pictures from being thinned out.
void lay(const Crossing& c, const PlanarPicture& picture, Offset at, const Rect& window, bool endless) {
  const double width = c.frame.width(), height = c.frame.height();
  c.pictures.draw(surfaceOf(c.frame), picture,
                  {{0, 0, width, height}, {width, 0, at.x, 0, height, at.y}, window, 1, endless});
}

void squeezeRows(const Crossing& c, int p, const RectCoverage& covered) {
  const Plane &frame = c.frame.plane(p), &from = c.from->plane(p);
  const SqueezedAxis axis(frame.height, 1 - c.progress);
  const auto count = static_cast<size_t>(frame.width);
  std::vector<uint8_t>& mean = c.buffers.rows[0];
  mean.resize(count);
  for (int y = covered.rows.first; y < covered.rows.end; ++y) {
    std::memcpy(mean.data(), rowOf(from, axis.source(y, 0)), count);
    for (int tap = 1; tap < axis.taps; ++tap) {
      kernels::lerpRow(mean.data(), mean.data(), rowOf(from, axis.source(y, tap)), count,
                       toWeight(1.0 / (tap + 1)));
    }
    kernels::lerpRow(rowOf(frame, y), rowOf(frame, y), mean.data(), count, covered.rows.at(y));
  }
}

void squeezeColumns(const Crossing& c, int p, const RectCoverage& covered) {
  const Plane &frame = c.frame.plane(p), &from = c.from->plane(p);
  const SqueezedAxis axis(frame.width, 1 - c.progress);
  const AxisCoverage& columns = covered.columns;
  const auto count = static_cast<size_t>(columns.count()), taps = static_cast<size_t>(axis.taps);
  std::vector<int32_t>& sources = c.buffers.columns;
  sources.resize(count * taps);
  for (size_t i = 0; i < count * taps; ++i) {
    sources[i] = axis.source(columns.first + static_cast<int>(i / taps), static_cast<int>(i % taps));
  }
  std::vector<uint8_t>& mean = c.buffers.rows[0];
  mean.resize(count);
  const int32_t share = (1 << 16) / axis.taps + 1;
  for (int y = 0; y < frame.height; ++y) {
    const uint8_t* const source = rowOf(from, y);
    const int32_t* next = sources.data();
    for (size_t x = 0; x < count; ++x) {
      int32_t sum = axis.taps / 2;
      for (size_t tap = 0; tap < taps; ++tap) sum += source[*next++];
      mean[x] = static_cast<uint8_t>((sum * share) >> 16);
    }
    kernels::overRowMasked(rowOf(frame, y) + columns.first, mean.data(), nullptr, columns.weights.data(),
                           count);
  }
}

}  // namespace

void wipe(const Crossing& c, Heading heading) {
  const Offset at = entering(c, heading);
  const double width = c.frame.width(), height = c.frame.height();
  lay(c, *c.toPicture, {0, 0}, intersection({at.x, at.y, width, height}, c.canvas().rect()), false);
}

void slide(const Crossing& c, Heading heading) {
  lay(c, *c.fromPicture, leaving(c, heading), c.canvas().rect(), true);
  lay(c, *c.toPicture, entering(c, heading), c.canvas().rect(), false);
}

void cover(const Crossing& c, Heading heading) {
  lay(c, *c.toPicture, entering(c, heading), c.canvas().rect(), false);
}

void reveal(const Crossing& c, Heading heading) {
  lay(c, *c.fromPicture, leaving(c, heading), c.canvas().rect(), false);
}

SqueezedAxis::SqueezedAxis(int count, double covered)
    : samples(count),
      share(covered),
      taps(std::clamp(static_cast<int>(std::ceil(1 / covered)), 2, kMostTaps)) {}

int SqueezedAxis::source(int sample, int tap) const {
  const double at = sample + (tap + 0.5) / taps, middle = samples / 2.0;
  return std::clamp(static_cast<int>(middle + (at - middle) / share), 0, samples - 1);
}

Rect squeezedBand(double progress, const CanvasSize& canvas, Axis axis) {
  const double width = canvas.width, height = canvas.height, share = 1 - progress;
  if (axis == Axis::kX) return {width * progress / 2, 0, width * share, height};
  return {0, height * progress / 2, width, height * share};
}

void squeeze(const Crossing& c, Axis axis) {
  const Rect band = squeezedBand(c.progress, c.canvas(), axis);
  for (int p = 0; p < 3; ++p) {
    RectCoverage& covered = c.buffers.coverage[0];
    covered.cover(band, c.canvas(), p == 0 ? PlaneGroup::kLuma : PlaneGroup::kChroma);
    if (covered.empty()) continue;
    if (axis == Axis::kX) {
      squeezeColumns(c, p, covered);
    } else {
      squeezeRows(c, p, covered);
    }
  }
}

void zoomIn(const Crossing& c) {
  const double width = c.frame.width(), height = c.frame.height(), left = 1 - c.progress;
  const double seen = std::max(smoothStep(0.5, 1, left), 0.5 / std::max(width, height));
  const Rect zoomed{width / 2 * (1 - 1 / seen), height / 2 * (1 - 1 / seen), width / seen, height / seen};
  c.pictures.draw(
      surfaceOf(c.frame), *c.fromPicture,
      {{0, 0, width, height}, {zoomed.width, 0, zoomed.x, 0, zoomed.height, zoomed.y}, c.canvas().rect(), 1});
  Crossing fading = c;
  fading.progress = 1 - smoothStep(0, 0.5, left);
  if (fading.progress > 0) fade(fading);
}

}  // namespace framewright
