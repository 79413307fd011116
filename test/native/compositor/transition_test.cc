#include "compositor/compose_testing.h"

using namespace framewright;

namespace {

constexpr int kWidth = 64, kHeight = 36;
constexpr Color kFrom{200, 30, 30, 255}, kTo{20, 60, 220, 255};

// `from` and `to` with a mark each, so that movement shows.
Layer transitionLayer(const std::string& style, double progress) {
  Layer layer;
  layer.kind = Layer::Kind::kTransition;
  layer.style = style;
  layer.progress = progress;
  auto from = std::make_shared<DrawList>(), to = std::make_shared<DrawList>();
  from->layers = {fillLayer(kFrom, {0, 0, kWidth, kHeight}), fillLayer({255, 255, 255, 255}, {8, 8, 8, 8})};
  to->layers = {fillLayer(kTo, {0, 0, kWidth, kHeight}), fillLayer({0, 0, 0, 255}, {40, 20, 8, 8})};
  layer.from = from;
  layer.to = to;
  return layer;
}

struct Both {
  Composing composing;
  std::shared_ptr<Image> from, to;
  Both() {
    from = composing.compose(kWidth, kHeight, transitionLayer("fade", 0).from->layers);
    to = composing.compose(kWidth, kHeight, transitionLayer("fade", 0).to->layers);
  }
  std::shared_ptr<Image> at(const std::string& style, double progress) {
    return composing.compose(kWidth, kHeight, {transitionLayer(style, progress)});
  }
};

const char* const kStyles[] = {"fade",      "wipeleft",   "wiperight", "wipeup",   "wipedown",
                               "slideleft", "slideright", "slideup",   "slidedown"};

}  // namespace

TEST_CASE("every transition starts as the old picture and ends as the new one") {
  Both both;
  for (const std::string style : kStyles) {
    CAPTURE(style);
    CHECK(largestDifference(*both.at(style, 0), *both.from) == 0);
    CHECK(largestDifference(*both.at(style, 1), *both.to) == 0);
  }
}

TEST_CASE("a fade is the weighted mean") {
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

TEST_CASE("wipes reveal the new picture in place, slides move both") {
  Both both;
  struct Case {
    const char* style;
    int dx, dy;  // where the new picture comes from, in canvas sizes
  };
  for (const Case& c : {Case{"left", 1, 0}, Case{"right", -1, 0}, Case{"up", 0, 1}, Case{"down", 0, -1}}) {
    CAPTURE(c.style);
    const auto wiped = both.at(std::string("wipe") + c.style, 0.25);
    const auto slid = both.at(std::string("slide") + c.style, 0.25);
    const int left = c.dx * kWidth * 3 / 4, top = c.dy * kHeight * 3 / 4;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const bool entered = x >= left && x < left + kWidth && y >= top && y < top + kHeight;
        REQUIRE(sampleAt(*wiped, 0, x, y) == sampleAt(entered ? *both.to : *both.from, 0, x, y));
        const int fromX = x + c.dx * kWidth / 4, fromY = y + c.dy * kHeight / 4;
        const int expected =
            entered ? sampleAt(*both.to, 0, x - left, y - top) : sampleAt(*both.from, 0, fromX, fromY);
        REQUIRE(sampleAt(*slid, 0, x, y) == expected);
      }
    }
  }
}

TEST_CASE("the border of a wipe moves by fractions of a pixel and a slide shows no dark seam") {
  Both both;
  const double progress = 1 - 10.3 / kWidth;  // the new picture starts at 10.3
  const auto wiped = both.at("wipeleft", progress);
  const double expected = sampleAt(*both.from, 0, 0, 0) * 0.3 + sampleAt(*both.to, 0, 63, 0) * 0.7;
  CHECK(std::abs(sampleAt(*wiped, 0, 10, 2) - expected) <= 1);
  const auto slid = both.at("slideleft", progress);
  const int darker = std::min(sampleAt(*both.from, 0, 0, 0), sampleAt(*both.to, 0, 0, 0));
  for (int x = 0; x < kWidth; ++x) REQUIRE(sampleAt(*slid, 0, x, 2) >= darker - 1);
}

TEST_CASE("an unknown transition is refused by name") {
  Both both;
  DrawList list;
  list.layers = {transitionLayer("sparkle", 0.5)};
  auto frame = makeImage(PixelFormat::kI420, kWidth, kHeight);
  const Status status = both.composing.compositor->compose(list, {}, *frame);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().message.find("sparkle") != std::string::npos);
}
