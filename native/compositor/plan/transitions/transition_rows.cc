#include "compositor/plan/transitions/transition_rows.h"

#include <algorithm>
#include <cmath>

#include "compositor/plan/transitions/transition_steps.h"

namespace framewright {
namespace {

int floorDivide(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

constexpr double kMaxPanBlur = 0.42;  // of the axis

// Times at which a glitch changes.
constexpr int kGlitchSteps = 14;

}  // namespace

int mirroredIndex(int index, int count) {
  const int tile = floorDivide(index, count), inTile = index - tile * count;
  return tile % 2 == 0 ? inTile : count - 1 - inTile;
}

bool isMirrored(int index, int count) { return floorDivide(index, count) % 2 != 0; }

// The strip: a side, its mirror image, the mirror image of the other side, that side.
PanSample PanBlur::at(int position) const {
  const int tile = floorDivide(position, samples), inTile = position - tile * samples;
  const bool isMirrored = tile != 0 && tile != 3;
  return {(tile >= 2) != isBackwards, isMirrored ? samples - 1 - inTile : inTile};
}

int PanBlur::first() const { return floorDivide(start, kPanUnit); }
int PanBlur::startFraction() const { return start - first() * kPanUnit; }
int PanBlur::endFraction() const { return (startFraction() + length) % kPanUnit; }
int PanBlur::span() const { return (startFraction() + length) / kPanUnit; }
int PanBlur::count() const { return samples + span() + 1; }

PanBlur panBlur(double progress, Heading heading, int samples) {
  PanBlur pan{samples, heading.sign() > 0};
  const double blur = std::max(1.0, kMaxPanBlur * samples * 4 * progress * (1 - progress));
  pan.length = static_cast<int>(std::lround(blur * kPanUnit));
  pan.start = static_cast<int>(
                  std::lround((3 * samples * (pan.isBackwards ? 1 - progress : progress) + 0.5) * kPanUnit)) -
              pan.length / 2;
  return pan;
}

std::vector<GlitchRow> glitchRows(double progress, const CanvasSize& canvas, int plane) {
  const auto step = static_cast<uint32_t>(progress * kGlitchSteps);
  uint32_t drawn = 0;
  const auto random = [&] { return static_cast<double>(hashNoise(step * 7919 + 13, drawn++)); };
  const int scale = plane == 0 ? 1 : 2;
  const int width = (canvas.width + scale - 1) / scale, height = (canvas.height + scale - 1) / scale;
  const double strength = smoothStep(0, 0.4, std::min(progress, 1 - progress));
  // Even, so that luma and chroma have the same bands.
  const auto even = [](double value) { return static_cast<int>(std::lround(value / 2)) * 2; };
  const auto shifted = [&](double amount) { return even(amount * strength * canvas.width); };
  const double share = smoothStep(0.2, 0.8, progress);
  const auto showsTo = [&] { return random() < share; };
  const bool groundIsTo = progress > 0.5;
  const int split = shifted(0.008 + 0.022 * random()) * (random() < 0.5 ? -1 : 1);
  const int jump = random() < 0.3 ? shifted(0.05 * (random() - 0.5)) : 0;

  std::vector<GlitchRow> rows(static_cast<size_t>(height));
  for (int top = 0; top < canvas.height;) {
    const int bottom = top + std::max(2, even(canvas.height * (0.012 + 0.11 * std::pow(random(), 2.2))));
    const bool isActive = random() < 0.55 * strength;
    const double amount = random() - 0.5, tearing = random();
    const bool bandIsTo = showsTo();
    ShiftedSide side{groundIsTo, jump};
    int chroma = split;
    if (isActive) {
      side = {bandIsTo, jump + shifted((tearing < 0.2 ? 0.7 : 0.22) * amount)};
      chroma = split * (tearing < 0.5 ? 3 : 1);
    }
    for (int y = top / scale; y < std::min(bottom / scale, height); ++y) {
      GlitchRow& row = rows[static_cast<size_t>(y)];
      row.row = {side.isTo, side.shift / scale + (plane == 0 ? 0 : plane == 1 ? chroma : -chroma) / scale};
      row.block = row.row;
    }
    top = bottom;
  }
  const int blocks = static_cast<int>(std::lround(8 * strength));
  for (int i = 0; i < blocks; ++i) {
    const int top = even(canvas.height * random()), tall = even(canvas.height * (0.02 + 0.09 * random()));
    const int left = even(canvas.width * (1.1 * random() - 0.1)),
              wide = even(canvas.width * (0.08 + 0.3 * random()));
    const ShiftedSide side{random() < 0.5, shifted(0.3 * (random() - 0.5))};
    const int chroma = split * 2;
    for (int y = std::max(0, top / scale); y < std::min((top + tall) / scale, height); ++y) {
      GlitchRow& row = rows[static_cast<size_t>(y)];
      row.block = {side.isTo, side.shift / scale + (plane == 0 ? 0 : plane == 1 ? chroma : -chroma) / scale};
      row.blockStart = std::clamp(left / scale, 0, width);
      row.blockEnd = std::clamp((left + wide) / scale, row.blockStart, width);
    }
  }
  return rows;
}

}  // namespace framewright
