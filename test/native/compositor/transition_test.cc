#include <set>
#include <sstream>

#include "compositor/compose_testing.h"
#include "compositor/plan/transitions/transition_styles.h"

using namespace framewright;

namespace {

constexpr int kWidth = 64, kHeight = 36;
constexpr Color kFrom{250, 210, 80, 255}, kTo{20, 60, 220, 255};

// `from` and `to` have a mark each, so that movement is visible.
Layer transitionLayer(const std::string& style, double progress) {
  Layer layer;
  layer.kind = Layer::Kind::kTransition;
  layer.style = style;
  layer.progress = progress;
  layer.image = 0;
  auto from = std::make_shared<DrawList>(), to = std::make_shared<DrawList>();
  from->layers = {fillLayer(kFrom, {0, 0, kWidth, kHeight}), fillLayer({255, 255, 255, 255}, {8, 8, 8, 8})};
  to->layers = {fillLayer(kTo, {0, 0, kWidth, kHeight}), fillLayer({0, 0, 0, 255}, {40, 20, 8, 8})};
  layer.from = from;
  layer.to = to;
  return layer;
}

// The grey image of transitions that need one: dark at the left, bright at the right.
void addLuma(Composing& composing) {
  composing.add(*paintRgba(kWidth, kHeight, [](int x, int) {
    const auto grey = static_cast<uint8_t>(255 * x / (kWidth - 1));
    return Color{grey, grey, grey, 255};
  }));
}

struct Both {
  Composing composing;
  std::shared_ptr<Image> from, to;
  Both() {
    addLuma(composing);
    from = composing.compose(kWidth, kHeight, transitionLayer("fade", 0).from->layers);
    to = composing.compose(kWidth, kHeight, transitionLayer("fade", 0).to->layers);
  }
  std::shared_ptr<Image> at(const std::string& style, double progress) {
    return composing.compose(kWidth, kHeight, {transitionLayer(style, progress)});
  }
};

std::vector<std::string> allStyles() {
  std::vector<std::string> styles;
  std::istringstream names(transitionNames());
  for (std::string name; std::getline(names >> std::ws, name, ',');) styles.push_back(name);
  return styles;
}

double meanDifference(const Image& a, const Image& b) {
  double sum = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) sum += std::abs(sampleAt(a, 0, x, y) - sampleAt(b, 0, x, y));
  }
  return sum / (kWidth * kHeight);
}

}  // namespace

TEST_CASE("every transition starts with the old image and ends with the new one") {
  Both both;
  const std::vector<std::string> styles = allStyles();
  CHECK(std::set<std::string>(styles.begin(), styles.end()).size() == 79);
  for (const std::string& style : styles) {
    CAPTURE(style);
    CHECK(largestDifference(*both.at(style, 0), *both.from) == 0);
    CHECK(largestDifference(*both.at(style, 1), *both.to) == 0);
    // Start and end are continuous, and the middle differs from both.
    CHECK(meanDifference(*both.at(style, 0.002), *both.from) < 2);
    CHECK(meanDifference(*both.at(style, 0.998), *both.to) < 2);
    CHECK(meanDifference(*both.at(style, 0.7), *both.from) > 2);
    CHECK(meanDifference(*both.at(style, 0.2), *both.to) > 2);
  }
}

TEST_CASE("every transition supports any canvas size and does not depend on earlier frames") {
  Both used;
  for (const auto& [width, height] : {std::pair{1, 1}, {2, 3}, {5, 1}, {63, 35}, {64, 36}}) {
    for (const std::string& style : allStyles()) {
      CAPTURE(width);
      CAPTURE(height);
      CAPTURE(style);
      for (const double progress : {0.01, 0.3, 0.5, 0.97}) {
        Composing fresh;
        addLuma(fresh);
        const auto expected = fresh.compose(width, height, {transitionLayer(style, progress)});
        const auto frame = used.composing.compose(width, height, {transitionLayer(style, progress)});
        REQUIRE(largestDifference(*frame, *expected) == 0);
      }
    }
  }
}

TEST_CASE("a fade is the weighted mean of both sides") {
  Both both;
  for (const double progress : {0.1, 0.5, 0.999}) {
    const auto frame = both.at("fade", progress);
    for (int p = 0; p < 3; ++p) {
      for (int y = 0; y < kHeight / 2; ++y) {
        for (int x = 0; x < kWidth / 2; ++x) {
          const double exact =
              sampleAt(*both.from, p, x, y) * (1 - progress) + sampleAt(*both.to, p, x, y) * progress;
          REQUIRE(std::abs(sampleAt(*frame, p, x, y) - exact) <= 0.51);
        }
      }
    }
  }
}

TEST_CASE("wipes move neither side, covers the new one, reveals the old one, slides both") {
  Both both;
  struct Case {
    const char* style;
    int dx, dy;  // direction from which the new image enters, in canvas sizes
  };
  for (const Case& c : {Case{"left", 1, 0}, Case{"right", -1, 0}, Case{"up", 0, 1}, Case{"down", 0, -1}}) {
    CAPTURE(c.style);
    const auto wiped = both.at(std::string("wipe") + c.style, 0.25);
    const auto slid = both.at(std::string("slide") + c.style, 0.25);
    const auto covered = both.at(std::string("cover") + c.style, 0.25);
    const auto revealed = both.at(std::string("reveal") + c.style, 0.25);
    const int left = c.dx * kWidth * 3 / 4, top = c.dy * kHeight * 3 / 4;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const bool entered = x >= left && x < left + kWidth && y >= top && y < top + kHeight;
        REQUIRE(sampleAt(*wiped, 0, x, y) == sampleAt(entered ? *both.to : *both.from, 0, x, y));
        const int fromX = x + c.dx * kWidth / 4, fromY = y + c.dy * kHeight / 4;
        const int still = sampleAt(entered ? *both.to : *both.from, 0, x, y);
        const int moved =
            entered ? sampleAt(*both.to, 0, x - left, y - top) : sampleAt(*both.from, 0, fromX, fromY);
        REQUIRE(sampleAt(*slid, 0, x, y) == moved);
        REQUIRE(sampleAt(*covered, 0, x, y) == (entered ? moved : still));
        REQUIRE(sampleAt(*revealed, 0, x, y) == (entered ? still : moved));
      }
    }
  }
}

TEST_CASE("wind moves every row or column at its own time") {
  Both both;
  const int old = sampleAt(*both.from, 0, 0, 0), next = sampleAt(*both.to, 0, 0, 0);
  REQUIRE(old > next);
  struct Case {
    const char* style;
    bool across, backwards;
  };
  for (const Case& c : {Case{"hlwind", true, true}, Case{"hrwind", true, false}, Case{"vuwind", false, true},
                        Case{"vdwind", false, false}}) {
    CAPTURE(c.style);
    const auto frame = both.at(c.style, 0.5);
    const int length = c.across ? kWidth : kHeight, lines = c.across ? kHeight : kWidth;
    std::set<int> reached;
    for (int line = 0; line < lines; ++line) {
      // Samples along the wind, without those of the marks.
      std::vector<int> samples;
      for (int k = 0; k < length; ++k) {
        const int along = c.backwards ? length - 1 - k : k;
        const int x = c.across ? along : line, y = c.across ? line : along;
        const bool marked =
            (x >= 7 && x < 17 && y >= 7 && y < 17) || (x >= 39 && x < 49 && y >= 19 && y < 29);
        if (!marked) samples.push_back(sampleAt(*frame, 0, x, y));
      }
      REQUIRE(samples.front() == next);
      REQUIRE(samples.back() == old);
      REQUIRE(std::is_sorted(samples.begin(), samples.end()));
      reached.insert(static_cast<int>(std::count(samples.begin(), samples.end(), next)));
    }
    CHECK(reached.size() > 4);
  }
}

TEST_CASE("a dissolve replaces pixels in proportion to time and permanently") {
  Both both;
  double shown = 0, before = 0;
  std::shared_ptr<Image> last = both.from;
  for (const double progress : {0.1, 0.25, 0.5, 0.75, 0.9}) {
    const auto frame = both.at("dissolve", progress);
    shown = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const int sample = sampleAt(*frame, 0, x, y), next = sampleAt(*both.to, 0, x, y);
        REQUIRE((sample == next || sample == sampleAt(*both.from, 0, x, y)));
        if (sampleAt(*last, 0, x, y) == next) REQUIRE(sample == next);
        shown += sample == next ? 1 : 0;
      }
    }
    CAPTURE(progress);
    CHECK(std::abs(shown / (kWidth * kHeight) - progress) < 0.03);
    CHECK(shown > before);
    before = shown;
    last = frame;
  }
}

TEST_CASE("a wipe's border moves in subpixels, and a slide has no dark seam") {
  Both both;
  const double progress = 1 - 10.3 / kWidth;  // the new image starts at x = 10.3
  const auto wiped = both.at("wipeleft", progress);
  const double expected = sampleAt(*both.from, 0, 0, 0) * 0.3 + sampleAt(*both.to, 0, 63, 0) * 0.7;
  CHECK(std::abs(sampleAt(*wiped, 0, 10, 2) - expected) <= 1);
  const auto slid = both.at("slideleft", progress);
  const int darker = std::min(sampleAt(*both.from, 0, 0, 0), sampleAt(*both.to, 0, 0, 0));
  for (int x = 0; x < kWidth; ++x) REQUIRE(sampleAt(*slid, 0, x, 2) >= darker - 1);
}

TEST_CASE("a push transition moves the old image slower and darkens it") {
  Both both;
  const auto frame = both.at("push-left", 0.5);
  // The new image comes in by half of the canvas.
  CHECK(sampleAt(*frame, 0, kWidth / 2 + 19, 24) == sampleAt(*both.to, 0, 19, 24));
  CHECK(sampleAt(*frame, 0, kWidth / 2, 2) == sampleAt(*both.to, 0, 0, 2));
  const int black = 16, old = sampleAt(*both.from, 0, 0, 2);
  CHECK(std::abs(sampleAt(*frame, 0, kWidth / 2 - 1, 2) - (old + (black - old) * 0.25)) <= 1);
  // The old mark, 8 pixels wide, has moved by 0.35 of half of the canvas.
  const int moved = 8 - static_cast<int>(0.35 * kWidth / 2);
  CHECK(sampleAt(*frame, 0, moved + 4, 12) > sampleAt(*frame, 0, moved + 14, 12) + 20);
}

TEST_CASE("a whip-pan transition shows means of both images, each alone near its end") {
  Both both;
  for (const char* style : {"whip-pan-left", "whip-pan-right", "whip-pan-up", "whip-pan-down"}) {
    CAPTURE(style);
    const int old = sampleAt(*both.from, 0, 0, 0), next = sampleAt(*both.to, 0, 0, 0);
    const auto first = both.at(style, 0.2), last = both.at(style, 0.8);
    const auto middle = both.at(style, 0.5);
    int mixed = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        REQUIRE(sampleAt(*first, 0, x, y) >= old);
        REQUIRE(sampleAt(*last, 0, x, y) <= next);
        const int sample = sampleAt(*middle, 0, x, y);
        mixed += sample < old && sample > next ? 1 : 0;
      }
    }
    CHECK(mixed > kWidth * kHeight / 5);
  }
}

TEST_CASE("a glitch transition moves samples and computes none") {
  Both both;
  std::set<int> known;
  for (const auto& side : {both.from, both.to}) {
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) known.insert(sampleAt(*side, 0, x, y));
    }
  }
  for (const double progress : {0.1, 0.3, 0.45, 0.6, 0.9}) {
    const auto frame = both.at("glitch", progress);
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) REQUIRE(known.count(sampleAt(*frame, 0, x, y)) == 1);
    }
  }
}

TEST_CASE("an unknown transition is rejected by name") {
  Both both;
  DrawList list;
  list.layers = {transitionLayer("sparkle", 0.5)};
  auto frame = makeImage(PixelFormat::kI420, kWidth, kHeight);
  const Status status = both.composing.compositor->compose(list, {}, *frame);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().message.find("sparkle") != std::string::npos);
}
