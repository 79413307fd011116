#include "x264/lookahead.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace framewright;
using namespace framewright::x264;

namespace {

// Luma of a frame.
struct Luma {
  int width, height;
  std::vector<uint8_t> samples;

  Plane plane() { return {samples.data(), width, width, height}; }
};

// Smooth noise at several scales, seen by a camera at (x, y); smooth enough for subpixel motion.
Luma hills(int width, int height, double x, double y, int seed = 0) {
  Luma luma{width, height, std::vector<uint8_t>(static_cast<size_t>(width * height))};
  const double tilt = 0.3 * seed;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const double u = column + x, v = row + y;
      const double value = 128 + 40 * std::sin(u / 7.3 + tilt) * std::cos(v / 9.1 - tilt) +
                           30 * std::sin((u + v * (1 + seed)) / 23.7) +
                           25 * std::cos((u * (2 + seed) - v) / 41.3);
      luma.samples[static_cast<size_t>(row * width + column)] =
          static_cast<uint8_t>(std::clamp(value, 0.0, 255.0));
    }
  return luma;
}

// Uncorrelated noise on a wall that moves by `x`.
Luma grit(int width, int height, int x, int seed) {
  Luma luma{width, height, std::vector<uint8_t>(static_cast<size_t>(width * height))};
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      // A hash of the position in units of 4 x 4 samples, so that it survives halving.
      uint32_t hash = static_cast<uint32_t>((column + x) / 4) * 73856093u ^
                      static_cast<uint32_t>(row / 4) * 19349663u ^ static_cast<uint32_t>(seed) * 83492791u;
      hash = (hash ^ (hash >> 13)) * 1274126177u;
      luma.samples[static_cast<size_t>(row * width + column)] = static_cast<uint8_t>(hash >> 24);
    }
  return luma;
}

Luma flat(int width, int height, uint8_t value) {
  return {width, height, std::vector<uint8_t>(static_cast<size_t>(width * height), value)};
}

// One letter per frame: K (IDR), r (P), b (B).
std::string kindsOf(const std::vector<FramePlan>& plans) {
  std::string kinds;
  for (const FramePlan& plan : plans)
    kinds += plan.type == FrameType::kIdr ? 'K' : plan.type == FrameType::kP ? 'r' : 'b';
  return kinds;
}

struct Shown {
  Luma luma;
  std::optional<FrameType> kind = std::nullopt;
};

std::vector<FramePlan> planned(std::vector<Shown> frames, LookaheadSettings settings = {}) {
  Lookahead lookahead(settings);
  std::vector<FramePlan> plans;
  const auto take = [&] {
    while (auto plan = lookahead.next()) plans.push_back(std::move(*plan));
  };
  for (Shown& shown : frames) {
    lookahead.push(shown.luma.plane(), shown.kind);
    take();
  }
  lookahead.end();
  take();
  REQUIRE(plans.size() == frames.size());
  return plans;
}

std::vector<Shown> pan(int count, double speed, int seed = 0) {
  std::vector<Shown> frames;
  for (int i = 0; i < count; ++i) frames.push_back({hills(208, 176, i * speed, 0, seed)});
  return frames;
}

}  // namespace

TEST_CASE("motion search finds exact vectors") {
  Luma first = hills(320, 192, 0, 0), moved = hills(320, 192, 13, -6);
  const LowresFrame from(first.plane()), lowres(moved.plane());
  const MotionField field = searchMotion(lowres, from, {});
  int right = 0;
  for (const MotionVector& vector : field.vectors)
    right += std::abs(vector.x - 13) <= 1 && std::abs(vector.y + 6) <= 1 ? 1 : 0;
  CHECK(right > static_cast<int>(field.vectors.size()) * 9 / 10);
  CHECK(field.cost * 8 < lowres.intraCost());

  // A hint at twice the distance is enough, also backwards.
  const MotionField back = searchMotion(from, lowres, {&field, -1, 1});
  CHECK(back.cost * 8 < from.intraCost());
}

TEST_CASE("small frames are extended beyond their edges, and sizes need not be multiples of a block") {
  for (const auto& [width, height] : {std::pair(1, 1), {2, 2}, {17, 33}, {50, 46}, {7, 120}}) {
    CAPTURE(width);
    CAPTURE(height);
    Luma luma = flat(width, height, 77);
    const LowresFrame lowres(luma.plane());
    CHECK(lowres.columns() == (width + 15) / 16);
    CHECK(lowres.rows() == (height + 15) / 16);
    for (const int y : {-LowresFrame::kMargin, 0, lowres.rows() * 8 + LowresFrame::kMargin - 1})
      for (const int x : {-LowresFrame::kMargin, 0, lowres.columns() * 8 + LowresFrame::kMargin - 1})
        CHECK(*lowres.at(x, y) == 77);
  }
}

TEST_CASE("uniform motion gets a P-frame every four frames and IDR frames when due") {
  CHECK(kindsOf(planned(pan(14, 3))) == "Kbbbrbbbrbbbrr");
  CHECK(kindsOf(planned(pan(23, 3), {.keyframeInterval = 9})) == "KbbbrbbbrKbbbrbbbrKbbbr");
  CHECK(kindsOf(planned(pan(3, 3), {.keyframeInterval = 1})) == "KKK");
  CHECK(kindsOf(planned({})) == "");
}

TEST_CASE("forced frame types are used") {
  auto frames = pan(16, 2);
  frames[2].kind = FrameType::kP;
  frames[7].kind = FrameType::kIdr;
  frames[8].kind = FrameType::kP;
  CHECK(kindsOf(planned(frames)) == "KbrbbbrKrbbbrbbr");
}

TEST_CASE("a scene cut gets an IDR frame, a flash does not") {
  std::vector<Shown> cut, flash;
  for (int i = 0; i < 24; ++i) {
    cut.push_back({grit(208, 176, 2 * i, i < 10 ? 1 : 2)});
    flash.push_back({grit(208, 176, 2 * i, i == 10 ? 2 : 1)});
  }
  CHECK(kindsOf(planned(cut)) == "KbbbrbbbrrKbbbrbbbrbbbrr");
  const std::string kinds = kindsOf(planned(flash));
  CHECK(std::count(kinds.begin(), kinds.end(), 'K') == 1);
}

TEST_CASE("unrelated frames are coded without B-frames") {
  std::mt19937 random(3);
  std::vector<Shown> noise;
  for (int i = 0; i < 12; ++i) {
    noise.push_back({flat(96, 96, 0)});
    for (uint8_t& sample : noise.back().luma.samples) sample = static_cast<uint8_t>(random() % 256);
  }
  const std::string kinds = kindsOf(planned(noise));
  CHECK(kinds.find('b') == std::string::npos);
}

TEST_CASE("referenced blocks get a lower QP, short-lived blocks do not") {
  // Mostly static; a strip on the right changes in every frame.
  std::mt19937 random(5);
  auto frames = pan(18, 0);
  for (Shown& shown : frames) {
    Luma& luma = shown.luma;
    for (int y = 0; y < luma.height; ++y)
      for (int x = luma.width * 3 / 4; x < luma.width; ++x)
        luma.samples[static_cast<size_t>(y * luma.width + x)] = static_cast<uint8_t>(random() % 256);
  }
  const std::vector<FramePlan> plans = planned(frames);
  const int columns = 208 / 16, rows = 176 / 16;
  for (size_t k = 0; k < 9; ++k) {
    CAPTURE(k);
    const FramePlan& plan = plans[k];
    if (plan.type == FrameType::kB) continue;
    REQUIRE(plan.qpOffsetsQ2.size() == static_cast<size_t>(columns * rows));
    for (int row = 1; row + 1 < rows; ++row) {
      CHECK(plan.qpOffsetsQ2[static_cast<size_t>(row * columns + 2)] <= -12);
      CHECK(plan.qpOffsetsQ2[static_cast<size_t>(row * columns + columns - 2)] >= -2);
    }
  }
  // No frame refers to the last one: it only follows the last P-frame.
  CHECK(std::all_of(plans.back().qpOffsetsQ2.begin(), plans.back().qpOffsetsQ2.end(),
                    [](int8_t by) { return by == 0; }));
}

TEST_CASE("plans are available once the window is filled and do not depend on timing") {
  Lookahead lookahead({.keyframeInterval = 150, .windowFrames = 10});
  auto frames = pan(40, 1.5);
  std::vector<FramePlan> late;
  for (Shown& shown : frames) lookahead.push(shown.luma.plane(), shown.kind);
  lookahead.end();
  while (auto plan = lookahead.next()) late.push_back(std::move(*plan));

  Lookahead prompt({.keyframeInterval = 150, .windowFrames = 10});
  std::vector<FramePlan> plans;
  int maxAhead = 0, pushed = 0;
  for (Shown& shown : frames) {
    prompt.push(shown.luma.plane(), shown.kind);
    ++pushed;
    while (auto plan = prompt.next()) plans.push_back(std::move(*plan));
    maxAhead = std::max(maxAhead, pushed - static_cast<int>(plans.size()));
  }
  CHECK(maxAhead <= 10 + Lookahead::kMaxBFrames);
  CHECK(kindsOf(late).substr(0, plans.size()) == kindsOf(plans));
}
