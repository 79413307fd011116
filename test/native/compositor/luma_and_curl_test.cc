#include <algorithm>
#include <string>

#include "compositor/compose_testing.h"

using namespace framewright;

namespace {

constexpr int kWidth = 96, kHeight = 64;

std::shared_ptr<const DrawList> filled(const Color& color) {
  auto list = std::make_shared<DrawList>();
  list->layers = {fillLayer(color, {0, 0, kWidth, kHeight})};
  return list;
}

// From white to black, so that luma tells the share of the old side.
Layer transitionLayer(const std::string& style, double progress, const LumaWipe& wipe = {}) {
  Layer layer;
  layer.kind = Layer::Kind::kTransition;
  layer.style = style;
  layer.progress = progress;
  layer.image = 0;
  layer.wipe = wipe;
  layer.from = filled({255, 255, 255, 255});
  layer.to = filled({0, 0, 0, 255});
  return layer;
}

Composing withLuma(int width, int height, const std::function<Color(int, int)>& paint) {
  Composing composing;
  composing.add(*paintRgba(width, height, paint));
  return composing;
}

Color grey(int value) {
  const auto level = static_cast<uint8_t>(value);
  return {level, level, level, 255};
}

}  // namespace

TEST_CASE("a luma wipe changes dark places first, and bright ones if it is inverted") {
  Composing composing = withLuma(2, 1, [](int x, int) { return grey(x == 0 ? 40 : 200); });
  const auto at = [&](double progress, bool isInverted) {
    return composing.compose(kWidth, kHeight, {transitionLayer("luma", progress, {0, isInverted})});
  };
  const auto usual = at(0.4, false), inverted = at(0.4, true);
  CHECK(sampleAt(*usual, 0, 4, 30) == 16);
  CHECK(sampleAt(*usual, 0, kWidth - 5, 30) == 235);
  CHECK(sampleAt(*inverted, 0, 4, 30) == 235);
  CHECK(sampleAt(*inverted, 0, kWidth - 5, 30) == 16);
}

TEST_CASE("the range of the image of a luma wipe is that from its darkest to its brightest place") {
  Composing narrow = withLuma(kWidth, 1, [](int x, int) { return grey(100 + x); });
  Composing wide = withLuma(kWidth, 1, [](int x, int) { return grey(x * 255 / (kWidth - 1)); });
  for (const double progress : {0.03, 0.5, 0.97}) {
    const auto border = [&](Composing& composing) {
      const auto frame = composing.compose(kWidth, kHeight, {transitionLayer("luma", progress)});
      int x = 0;
      while (x < kWidth && sampleAt(*frame, 0, x, 20) < 126) ++x;
      return x;
    };
    CHECK(std::abs(border(narrow) - progress * kWidth) <= 2);
    CHECK(std::abs(border(wide) - progress * kWidth) <= 2);
  }
}

TEST_CASE("a luma wipe has an edge as wide as its softness, without steps of 8-bit images") {
  constexpr int kLevels = 24;  // of the image; each is four pixels wide
  Composing composing =
      withLuma(kWidth, 1, [](int x, int) { return grey(x * kLevels / kWidth * 255 / kLevels); });
  const auto frame = composing.compose(kWidth, kHeight, {transitionLayer("luma", 0.5, {0.5, false})});
  int mixed = 0;
  for (int x = 1; x < kWidth; ++x) {
    const int here = sampleAt(*frame, 0, x, 9), before = sampleAt(*frame, 0, x - 1, 9);
    CHECK(here >= before);
    mixed += here > 16 && here < 235 ? 1 : 0;
  }
  CHECK(mixed >= kWidth / 2 - 10);
  CHECK(mixed <= kWidth / 2 + 4);
}

TEST_CASE("smoothing keeps the edges of the image of a luma wipe") {
  Composing composing =
      withLuma(kWidth, kHeight, [](int x, int y) { return grey((x / 8 + y / 8) % 2 * 255); });
  const auto frame = composing.compose(kWidth, kHeight, {transitionLayer("luma", 0.5)});
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x)
      REQUIRE(sampleAt(*frame, 0, x, y) == ((x / 8 + y / 8) % 2 == 0 ? 16 : 235));
  }
}

TEST_CASE("a luma wipe without its image is an error") {
  Composing composing;
  DrawList list;
  list.layers = {transitionLayer("luma", 0.5)};
  auto frame = makeImage(PixelFormat::kI420, kWidth, kHeight);
  CHECK_FALSE(composing.compositor->compose(list, {}, *frame).ok());
}

TEST_CASE("a luma wipe follows a change of its image") {
  Composing composing = withLuma(2, 1, [](int x, int) { return grey(x * 255); });
  const auto before = composing.compose(kWidth, kHeight, {transitionLayer("luma", 0.5)});
  composing.images.clear();
  composing.add(*paintRgba(2, 1, [](int x, int) { return grey(255 - x * 255); }));
  const auto after = composing.compose(kWidth, kHeight, {transitionLayer("luma", 0.5)});
  CHECK(sampleAt(*before, 0, 2, 2) == 16);
  CHECK(sampleAt(*after, 0, 2, 2) == 235);
}

TEST_CASE("a page curl shows the new side where the page was, its back, and its unchanged rest") {
  Composing composing;
  struct Case {
    const char* style;
    int x, y;  // a place at the side from which the page is lifted
  };
  for (const Case& c :
       {Case{"page-curl-left", kWidth - 2, kHeight - 2}, Case{"page-curl-right", 1, kHeight - 2},
        Case{"page-curl-up", kWidth - 2, kHeight - 2}, Case{"page-curl-down", kWidth - 2, 1}}) {
    CAPTURE(c.style);
    const auto frame = composing.compose(kWidth, kHeight, {transitionLayer(c.style, 0.6)});
    CHECK(sampleAt(*frame, 0, c.x, c.y) == 16);
    const auto early = composing.compose(kWidth, kHeight, {transitionLayer(c.style, 0.25)});
    CHECK(sampleAt(*early, 0, kWidth - 1 - c.x, kHeight - 1 - c.y) == 235);
    // The roll is shaded.
    int shaded = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const int sample = sampleAt(*frame, 0, x, y);
        shaded += sample > 60 && sample < 225 ? 1 : 0;
      }
    }
    CHECK(shaded > kWidth * kHeight / 30);
  }
}
