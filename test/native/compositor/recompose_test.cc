#include <algorithm>

#include "compositor/changing_lists.h"
#include "sanitizers.h"

using namespace framewright;

namespace {

bool isSame(const Image& a, const Image& b) { return largestDifference(a, b) == 0; }

// Images with and without alpha; the last one is a video whose frame can be exchanged.
void addImages(Composing& composing) {
  composing.add(*paintRgba(230, 150, [](int x, int y) {
    return Color{static_cast<uint8_t>(x * 7), static_cast<uint8_t>(y * 5), static_cast<uint8_t>(x ^ y), 255};
  }));
  composing.add(*paintRgba(64, 40, [](int x, int y) {
    return Color{static_cast<uint8_t>(x * 4), 90, static_cast<uint8_t>(y * 6), static_cast<uint8_t>(x * y)};
  }));
  composing.add(*paintRgba(31, 17, [](int x, int) {
    return Color{250, static_cast<uint8_t>(x * 8), 40, static_cast<uint8_t>(x % 3 == 0 ? 0 : 255)};
  }));
}

std::shared_ptr<Image> videoFrame(int moment) {
  return paintPlanes(120, 90,
                     [&](int p, int x, int y) { return 30 + (x * 3 + y * (p + 2) + moment * 11) % 190; });
}

std::shared_ptr<Image> composeAnew(const std::vector<PreparedImagePtr>& images, const DrawList& list) {
  const auto frame = paintPlanes(kWidth, kHeight, [](int, int, int) { return 201; });
  REQUIRE(createCpuCompositor()->compose(list, images, *frame).ok());
  return frame;
}

}  // namespace

TEST_CASE("recompose() gives the bytes of compose()") {
  for (unsigned seed = 1; seed <= fewerWithSanitizers(40u); ++seed) {
    CAPTURE(seed);
    Composing composing;
    addImages(composing);
    composing.addVideo(videoFrame(0));
    ChangingLists lists(seed, static_cast<int>(composing.images.size()));
    std::vector<std::shared_ptr<Image>> frames;
    for (int i = 0; i < 4; ++i) frames.push_back(makeImage(PixelFormat::kI420, kWidth, kHeight));
    DrawList before;
    std::vector<PreparedImagePtr> imagesBefore = composing.images;
    before.layers = lists.layers();
    size_t at = 0;
    REQUIRE(composing.compositor->compose(before, composing.images, *frames[at]).ok());
    for (int step = 1; step <= 24; ++step) {
      CAPTURE(step);
      DrawList list = before;
      if (lists.oneIn(9)) list.layers = lists.layers();
      if (!lists.oneIn(8)) lists.change(list.layers);
      if (lists.oneIn(6)) {
        composing.images.pop_back();
        composing.addVideo(videoFrame(step));
      }
      // Buffers return in any order; some are new or were used by others in between.
      size_t next = lists.oneIn(12) ? at : static_cast<size_t>(lists.below(4));
      if (lists.oneIn(12))
        frames[next == at ? (next = (at + 1) % 4) : next] = makeImage(PixelFormat::kI420, kWidth, kHeight);
      const ComposedFrame last{before, imagesBefore, *frames[at]};
      REQUIRE(composing.compositor->recompose(list, composing.images, last, *frames[next]).ok());
      REQUIRE(isSame(*frames[next], *composeAnew(composing.images, list)));
      at = next;
      before = std::move(list);
      imagesBefore = composing.images;
    }
  }
}

TEST_CASE("a moving text changes only its own rectangle") {
  Composing composing;
  addImages(composing);
  const auto listAt = [](double x) {
    DrawList list;
    list.layers = {imageLayer(0, {-10, -10, 223, 151}), imageLayer(1, {x, 90, 64, 40})};
    return list;
  };
  const auto first = makeImage(PixelFormat::kI420, kWidth, kHeight),
             second = makeImage(PixelFormat::kI420, kWidth, kHeight);
  const DrawList a = listAt(40), b = listAt(44), c = listAt(50);
  Compositor& compositor = *composing.compositor;
  REQUIRE(compositor.compose(a, composing.images, *first).ok());
  REQUIRE(compositor.recompose(b, composing.images, {a, composing.images, *first}, *second).ok());
  // Marks in the used buffer outside the changed region, and some in the text's old and new rectangles.
  const auto expected = composeAnew(composing.images, c);
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = first->plane(p);
    for (int y = 0; y < plane.height; ++y)
      std::fill_n(plane.data + y * plane.stride, plane.width, uint8_t{99});
  }
  REQUIRE(compositor.recompose(c, composing.images, {b, composing.images, *second}, *first).ok());
  for (int p = 0; p < 3; ++p) {
    const int scale = p == 0 ? 1 : 2;
    for (int y = 0; y < first->plane(p).height; ++y) {
      for (int x = 0; x < first->plane(p).width; ++x) {
        const bool inside = x * scale >= 40 && x * scale < 114 && y * scale >= 90 && y * scale < 130;
        REQUIRE(sampleAt(*first, p, x, y) == (inside ? sampleAt(*expected, p, x, y) : 99));
      }
    }
  }
}

TEST_CASE("images of another compositor are not mistaken for its own") {
  Composing composing, other;
  addImages(composing);
  addImages(other);
  DrawList a, b;
  a.layers = {imageLayer(0, {0, 0, kWidth, kHeight})};
  b.layers = {imageLayer(0, {0, 0, kWidth, kHeight}), fillLayer({1, 200, 3, 255}, {20, 30, 40, 50})};
  const auto before = makeImage(PixelFormat::kI420, kWidth, kHeight),
             foreign = makeImage(PixelFormat::kI420, kWidth, kHeight);
  REQUIRE(composing.compositor->compose(a, composing.images, *before).ok());
  DrawList red;
  red.layers = {fillLayer({255, 0, 0, 255}, {0, 0, kWidth, kHeight})};
  REQUIRE(other.compositor->compose(red, other.images, *foreign).ok());
  REQUIRE(
      composing.compositor->recompose(b, composing.images, {a, composing.images, *before}, *foreign).ok());
  CHECK(isSame(*foreign, *composeAnew(composing.images, b)));
}

TEST_CASE("a list with missing images fails, and the next list is drawn correctly") {
  Composing composing;
  addImages(composing);
  const auto frame = makeImage(PixelFormat::kI420, kWidth, kHeight),
             next = makeImage(PixelFormat::kI420, kWidth, kHeight);
  DrawList good, bad;
  good.layers = {imageLayer(0, {0, 0, kWidth, kHeight}), imageLayer(1, {5, 5, 64, 40})};
  bad.layers = {imageLayer(0, {0, 0, kWidth, kHeight}), imageLayer(9, {5, 5, 64, 40})};
  Compositor& compositor = *composing.compositor;
  REQUIRE(compositor.compose(good, composing.images, *frame).ok());
  CHECK_FALSE(compositor.recompose(bad, composing.images, {good, composing.images, *frame}, *next).ok());
  REQUIRE(compositor.recompose(good, composing.images, {good, composing.images, *frame}, *next).ok());
  CHECK(isSame(*next, *frame));
}
