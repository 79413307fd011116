#include <algorithm>
#include <random>

#include "compositor/compose_testing.h"

using namespace framewright;

namespace {

constexpr int kWidth = 203, kHeight = 131;

bool isSame(const Image& a, const Image& b) { return largestDifference(a, b) == 0; }

// Generates lists with all kinds of layers, and lists with small changes.
class RandomLists {
 public:
  RandomLists(unsigned seed, int images) : random_(seed), images_(images) {}

  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() % 100001) / 100000;
  }
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  bool oneIn(int count) { return below(count) == 0; }

  Layer layer() {
    Layer layer = fillLayer(color(), place(), oneIn(2) ? 1 : between(0, 1));
    const int kind = below(8);
    if (kind > 1) {
      layer.kind = Layer::Kind::kImage;
      layer.image = below(images_);
      if (oneIn(4)) layer.crop = {between(0, 0.4), between(0, 0.4), between(0.2, 0.6), between(0.2, 0.6)};
    } else if (kind == 1) {
      layer.kind = Layer::Kind::kWaveform;
      layer.bars.resize(9);
      for (uint16_t& bar : layer.bars) bar = static_cast<uint16_t>(below(kWaveformSteps + 1));
    }
    if (oneIn(3)) turn(layer);
    if (oneIn(4)) layer.window = Rect{between(-20, 90), between(-20, 60), between(5, 150), between(5, 90)};
    if (oneIn(3)) addEffect(layer);
    return layer;
  }

  std::vector<Layer> layers() {
    std::vector<Layer> layers;
    if (!oneIn(4)) layers.push_back(fillLayer(color(), {0, 0, kWidth, kHeight}));
    for (int i = below(6); i >= 0; --i) layers.push_back(layer());
    if (oneIn(5)) layers.insert(layers.begin(), transition());
    return layers;
  }

  void change(std::vector<Layer>& layers) {
    for (int i = below(3); i >= 0 && !layers.empty(); --i) {
      const auto at = layers.begin() + below(static_cast<int>(layers.size()));
      switch (below(8)) {
        case 0:
          layers.erase(at);
          break;
        case 1:
          layers.insert(at, layer());
          break;
        case 2:
          std::swap(*at, layers.back());
          break;
        case 3:
          at->opacity = between(0, 1);
          break;
        case 4:
          at->progress = between(0, 1);
          break;
        case 5:
          turn(*at);
          break;
        default:
          at->toCanvas.dx += oneIn(2) ? 1 : between(-3, 3);
          at->toCanvas.dy += oneIn(2) ? 0 : between(-3, 3);
      }
    }
  }

 private:
  Color color() {
    const auto byte = [&] { return static_cast<uint8_t>(random_()); };
    return {byte(), byte(), byte(), oneIn(3) ? byte() : uint8_t{255}};
  }
  Rect place() {
    if (oneIn(4)) return {static_cast<double>(below(80)), static_cast<double>(below(60)), 64, 40};
    return {between(-60, 180), between(-60, 120), between(4, 240), between(4, 160)};
  }
  void turn(Layer& layer) {
    layer.toCanvas = translation(90, 60) * rotationDegrees(oneIn(3) ? 90 : between(-180, 180)) *
                     translation(-90, -60) * layer.toCanvas;
  }
  void addEffect(Layer& layer) {
    LayerEffects effects;
    effects.box = layer.toCanvas;
    effects.boxWidth = 100;
    effects.boxHeight = 70;
    switch (below(7)) {
      case 0:
        effects.blur = between(0.3, 8);
        break;
      case 1:
        effects.cornerRadius = between(1, 30);
        break;
      case 2:
        effects.revealed = {between(0, 0.4), oneIn(2) ? 0 : 0.1, between(0.2, 0.6), 0.5};
        break;
      case 3:
        effects.mask = below(images_);
        effects.maskBox = effects.box;
        break;
      case 4:
        effects.correction = Correction{0.1, 1.2, 1, 0.7};
        break;
      default:
        effects.blend = static_cast<BlendMode>(1 + below(12));
    }
    layer.effects = effects;
  }
  Layer transition() {
    static const char* const kStyles[] = {"fade",  "slideleft", "revealup", "zoomin",  "rectcrop",
                                          "hblur", "wipetl",    "dissolve", "squeezeh"};
    auto from = std::make_shared<DrawList>(), to = std::make_shared<DrawList>();
    for (int i = below(3); i >= 0; --i) from->layers.push_back(layer());
    for (int i = below(3); i >= 0; --i) to->layers.push_back(layer());
    Layer made;
    made.kind = Layer::Kind::kTransition;
    made.style = kStyles[below(9)];
    made.progress = between(0, 1);
    made.from = std::move(from);
    made.to = std::move(to);
    return made;
  }

  std::mt19937 random_;
  int images_;
};

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
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Composing composing;
    addImages(composing);
    composing.addVideo(videoFrame(0));
    RandomLists lists(seed, static_cast<int>(composing.images.size()));
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
