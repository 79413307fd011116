#include <algorithm>

#include "compositor/changing_lists.h"
#include "compositor/deep/deep_compositor.h"
#include "core/planes.h"
#include "sanitizers.h"

namespace framewright {
namespace {

using Images = std::vector<PreparedImagePtr>;

std::shared_ptr<Image> emptyFrame(int value) {
  auto frame = makeImage(PixelFormat::kI010, kWidth, kHeight);
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = frame->plane(p);
    for (int y = 0; y < plane.height; ++y)
      std::fill_n(reinterpret_cast<uint16_t*>(rowOf(plane, y)), plane.width, static_cast<uint16_t>(value));
  }
  return frame;
}

bool isSameFrame(const Image& a, const Image& b) {
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < a.plane(p).height; ++y) {
      const auto *one = reinterpret_cast<const uint16_t*>(rowOf(a.plane(p), y)),
                 *other = reinterpret_cast<const uint16_t*>(rowOf(b.plane(p), y));
      if (!std::equal(one, one + a.plane(p).width, other)) return false;
    }
  }
  return true;
}

// A frame with codes beyond the legal ones.
PreparedImagePtr videoFrame(Compositor& compositor, int moment) {
  auto image = makeImage(PixelFormat::kI010, 120, 90);
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < image->plane(p).height; ++y) {
      auto* const row = reinterpret_cast<uint16_t*>(rowOf(image->plane(p), y));
      for (int x = 0; x < image->plane(p).width; ++x)
        row[x] = static_cast<uint16_t>((x * 13 + y * (p + 2) * 7 + moment * 11) % 1024);
    }
  }
  auto prepared = compositor.prepareVideoFrame(image, 0, 0);
  REQUIRE(prepared.ok());
  return prepared.take();
}

Images stillImages(Compositor& compositor) {
  Images images;
  const auto add = [&](const std::shared_ptr<Image>& image) {
    auto prepared = compositor.prepareStill(*image, 0, 0);
    REQUIRE(prepared.ok());
    images.push_back(prepared.take());
  };
  add(paintRgba(230, 150, [](int x, int y) {
    return Color{static_cast<uint8_t>(x * 7), static_cast<uint8_t>(y * 5), static_cast<uint8_t>(x ^ y), 255};
  }));
  add(paintRgba(64, 40, [](int x, int y) {
    return Color{static_cast<uint8_t>(x * 4), 90, static_cast<uint8_t>(y * 6), static_cast<uint8_t>(x * y)};
  }));
  add(paintRgba(31, 17, [](int x, int) {
    return Color{250, static_cast<uint8_t>(x * 8), 40, static_cast<uint8_t>(x % 3 == 0 ? 0 : 255)};
  }));
  return images;
}

TEST_CASE("recompose() of 10 bits gives the bytes of compose()") {
  for (unsigned seed = 1; seed <= fewerWithSanitizers(40u); ++seed) {
    CAPTURE(seed);
    const CanvasColor color{seed % 4 == 0 ? CanvasTransfer::kPq : CanvasTransfer::kSdr, false};
    const auto compositor = createDeepCompositor(color, false);
    Images images = stillImages(*compositor);
    images.push_back(videoFrame(*compositor, 0));
    ChangingLists lists(seed, static_cast<int>(images.size()));
    std::vector<std::shared_ptr<Image>> frames;
    for (int i = 0; i < 4; ++i) frames.push_back(emptyFrame(300));
    DrawList before;
    before.isDithered = seed % 2 == 0;
    before.layers = lists.layers();
    Images imagesBefore = images;
    size_t at = 0;
    REQUIRE(compositor->compose(before, images, *frames[at]).ok());
    for (int step = 1; step <= 24; ++step) {
      CAPTURE(step);
      DrawList list = before;
      if (lists.oneIn(9)) list.layers = lists.layers();
      if (!lists.oneIn(8)) lists.change(list.layers);
      if (lists.oneIn(6)) images.back() = videoFrame(*compositor, step);
      // Buffers return in any order; some are new or were used by others in between.
      size_t next = lists.oneIn(12) ? at : static_cast<size_t>(lists.below(4));
      if (lists.oneIn(12)) frames[next == at ? (next = (at + 1) % 4) : next] = emptyFrame(400);
      const ComposedFrame last{before, imagesBefore, *frames[at]};
      REQUIRE(compositor->recompose(list, images, last, *frames[next]).ok());
      const auto anew = emptyFrame(201);
      REQUIRE(createDeepCompositor(color, false)->compose(list, images, *anew).ok());
      REQUIRE(isSameFrame(*frames[next], *anew));
      at = next;
      before = std::move(list);
      imagesBefore = images;
    }
  }
}

TEST_CASE("a moving text of 10 bits changes only its own rectangle") {
  const auto compositor = createDeepCompositor({}, false);
  const Images images = stillImages(*compositor);
  const auto listAt = [](double x) {
    DrawList list;
    list.layers = {imageLayer(0, {-10, -10, 223, 151}), imageLayer(1, {x, 90, 64, 40})};
    return list;
  };
  const DrawList a = listAt(40), b = listAt(44), c = listAt(50);
  const auto first = emptyFrame(0), second = emptyFrame(0), expected = emptyFrame(0);
  REQUIRE(compositor->compose(a, images, *first).ok());
  REQUIRE(compositor->recompose(b, images, {a, images, *first}, *second).ok());
  REQUIRE(createDeepCompositor({}, false)->compose(c, images, *expected).ok());
  // Marks in the used buffer, of which only the text's old and new rectangles are drawn.
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < first->plane(p).height; ++y)
      std::fill_n(reinterpret_cast<uint16_t*>(rowOf(first->plane(p), y)), first->plane(p).width,
                  uint16_t{99});
  }
  REQUIRE(compositor->recompose(c, images, {b, images, *second}, *first).ok());
  for (int p = 0; p < 3; ++p) {
    const int scale = p == 0 ? 1 : 2;
    for (int y = 0; y < first->plane(p).height; ++y) {
      const auto *row = reinterpret_cast<const uint16_t*>(rowOf(first->plane(p), y)),
                 *wanted = reinterpret_cast<const uint16_t*>(rowOf(expected->plane(p), y));
      for (int x = 0; x < first->plane(p).width; ++x) {
        const bool isInside = x * scale >= 40 && x * scale < 116 && y * scale >= 90 && y * scale < 130;
        REQUIRE(row[x] == (isInside ? wanted[x] : 99));
      }
    }
  }
}

}  // namespace
}  // namespace framewright
