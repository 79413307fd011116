#include "compositor/effect_testing.h"
#include "compositor/plan/effects/correction_curves.h"
#include "libav/decode/video_decoder.h"
#include "libav/media_fixture.h"

using namespace framewright;

namespace {

constexpr int kWidth = 320, kHeight = 180;

LayerEffects correcting(const Correction& correction) {
  LayerEffects effects;
  effects.correction = correction;
  return effects;
}

LayerEffects keying(const Color& color, double tolerance) {
  LayerEffects effects;
  effects.chromaKey = ChromaKey{color, tolerance};
  return effects;
}

ImagePtr firstImage(const std::string& path) {
  const CancelToken never;
  auto decoder = VideoDecoder::open(path, 1, never);
  REQUIRE(decoder.ok());
  auto image = decoder.value()->frameAt(0);
  REQUIRE(image.ok());
  return image.take();
}

}  // namespace

TEST_CASE("colour correction equals ffmpeg's eq filter") {
  const std::string video = fixture::media(
      "eq-source.mp4",
      "-f lavfi -i testsrc2=s=320x180:d=0.1 -vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
      " -c:v libx264 -qp 0 -colorspace bt709 -color_range tv -frames:v 1");
  const ImagePtr image = firstImage(video);
  Composing composing;
  const int layer = composing.addVideo(image);
  const Correction corrections[] = {{0.1, 1, 1, 1},        {-0.25, 1.5, 1, 0.4}, {0, 1, 2.2, 1},
                                    {0.05, 0.7, 0.6, 2.5}, {0, -1, 1, 1},        {0, 7, 1, 3},
                                    {0, 20, 1, 1},         {0, -50, 1, 0},       {1, 1, 1, 1},
                                    {-1, 1, 0.1, 1},       {0, 1000, 10, 1}};
  for (const Correction& c : corrections) {
    const std::string eq = "brightness=" + std::to_string(c.brightness) +
                           ":contrast=" + std::to_string(c.contrast) + ":gamma=" + std::to_string(c.gamma) +
                           ":saturation=" + std::to_string(c.saturation);
    CAPTURE(eq);
    const auto expected = fixture::readFile(fixture::media(
        "eq-" + eq + ".yuv", "-i " + video + " -vf eq=" + eq + " -pix_fmt yuv420p -f rawvideo"));
    REQUIRE(expected.size() == kWidth * kHeight * 3 / 2);
    const auto frame = composing.compose(
        kWidth, kHeight,
        {withEffects(imageLayer(layer, {0, 0, kWidth, kHeight}), correcting(c), kWidth, kHeight)});
    size_t at = 0;
    int largest = 0;
    for (int p = 0; p < 3; ++p) {
      for (int y = 0; y < frame->plane(p).height; ++y) {
        for (int x = 0; x < frame->plane(p).width; ++x, ++at) {
          largest = std::max(largest, std::abs(sampleAt(*frame, p, x, y) - expected[at]));
        }
      }
    }
    CHECK(largest <= 1);
  }
}

TEST_CASE("a correction without gamma has the same results with and without a table") {
  const auto compare = [](const Curve8& curve, const std::optional<kernels::LinearCurve>& linear) {
    REQUIRE(linear);
    for (int i = 0; i < 256; ++i) CHECK(linear->at(i) == curve[static_cast<size_t>(i)]);
  };
  for (const double contrast : {-7.8, -1.0, 0.0, 0.37, 1.0, 1.2, 7.8}) {
    for (const double brightness : {-1.0, -0.13, 0.0, 0.1, 1.0}) {
      const Correction correction{brightness, contrast, 1, contrast};
      compare(lumaCurve(correction), linearLumaCurve(correction));
      compare(chromaCurve(correction), linearChromaCurve(correction));
    }
  }
  CHECK_FALSE(linearLumaCurve(Correction{0, 8, 1, 1}));
  CHECK_FALSE(linearLumaCurve(Correction{0, 1, 1.1, 1}));
}

TEST_CASE("an image with only a correction hides lower layers, one with other effects does not") {
  Composing composing;
  const LayerEffects brighter = correcting({0.2, 1, 1, 1});
  LayerEffects keyed = brighter;
  keyed.chromaKey = ChromaKey{{0, 255, 0, 255}, 10};
  // Hidden layers are not drawn, so a missing image is no error.
  for (const auto& [effects, hides] : {std::pair{brighter, true}, std::pair{keyed, false}}) {
    DrawList list;
    list.layers = {imageLayer(7, {0, 0, 32, 32}),
                   withEffects(fillLayer({90, 90, 90, 255}, {0, 0, 32, 32}), effects, 32, 32)};
    const auto frame = makeImage(PixelFormat::kI420, 32, 32);
    CHECK(composing.compositor->compose(list, composing.images, *frame).ok() == hides);
  }
}

TEST_CASE("a corrected image on an odd canvas covers all earlier contents of the frame") {
  Composing composing;
  DrawList list;
  list.layers = {
      withEffects(fillLayer({200, 40, 90, 255}, {0, 0, 33, 35}), correcting({0.2, 1, 1, 1.8}), 33, 35)};
  std::shared_ptr<Image> drawn[2];
  for (int i = 0; i < 2; ++i) {
    drawn[i] = paintPlanes(33, 35, [&](int, int, int) { return 250 * i; });
    REQUIRE(composing.compositor->compose(list, {}, *drawn[i]).ok());
  }
  CHECK(largestDifference(*drawn[0], *drawn[1]) == 0);
}

TEST_CASE("a correction of a translucent sprite changes its colour but not its alpha") {
  Composing composing;
  const int sprite = composing.add(*paintRgba(32, 32, [](int, int) { return Color{100, 100, 100, 128}; }));
  const LayerEffects brighter = correcting({0.2, 1, 1, 1});
  const auto frame = composing.compose(32, 32,
                                       {fillLayer(kWhiteColor, {0, 0, 32, 32}),
                                        withEffects(imageLayer(sprite, {0, 0, 32, 32}), brighter, 32, 32)});
  const double own = 16 + 219 * 100 / 255.0 + 0.2 * 255, alpha = 128 / 255.0;
  CHECK(std::abs(sampleAt(*frame, 0, 16, 16) - (235 * (1 - alpha) + own * alpha)) <= 2);
}

TEST_CASE("a key removes an unevenly lit green screen and nothing else") {
  // A green screen from shadow to light with a skin-coloured, soft-edged disc and a dark grey one.
  const auto shot = paintRgba(200, 120, [](int x, int y) {
    const double light = 0.6 + 0.5 * x / 200;
    const auto share = [&](double cx, double cy, double radius) {
      return std::clamp(0.5 + (radius - std::hypot(x - cx, y - cy)) / 3, 0.0, 1.0);
    };
    double rgb[3] = {20 * light, 190 * light, 60 * light};
    const double skin[3] = {224, 172, 140}, grey[3] = {60, 60, 62};
    const double a = share(60, 60, 30), b = share(140, 60, 30);
    for (int c = 0; c < 3; ++c) rgb[c] = rgb[c] * (1 - a - b) + skin[c] * a + grey[c] * b;
    const auto byte = [](double v) { return static_cast<uint8_t>(std::lround(std::min(v, 255.0))); };
    return Color{byte(rgb[0]), byte(rgb[1]), byte(rgb[2]), 255};
  });
  Composing composing;
  const int layer = composing.add(*shot);
  const Color behind{40, 40, 160, 255};
  const auto frame = composing.compose(
      200, 120,
      {fillLayer(behind, {0, 0, 200, 120}),
       withEffects(imageLayer(layer, {0, 0, 200, 120}), keying({20, 190, 60, 255}, 25), 200, 120)});
  for (const auto& [x, y] : {std::pair{4, 4}, std::pair{100, 60}, std::pair{196, 116}, std::pair{60, 10}}) {
    CHECK(difference(rgbAt(*frame, x, y), rgbOf(behind)) <= 3);
  }
  CHECK(difference(rgbAt(*frame, 60, 60), {224, 172, 140}) <= 6);
  CHECK(difference(rgbAt(*frame, 140, 60), {60, 60, 62}) <= 6);
  // No green remains, not even at the edges.
  double greenest = -255;
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 200; ++x) {
      const Rgb c = rgbAt(*frame, x, y);
      greenest = std::max(greenest, c.g - std::max(c.r, c.b));
    }
  }
  CHECK(greenest <= 12);
  // The edge is soft: skin fades gradually outwards.
  int between = 0;
  for (int x = 84; x < 98; ++x) {
    const Rgb c = rgbAt(*frame, x, 60);
    between += difference(c, rgbOf(behind)) > 12 && difference(c, {224, 172, 140}) > 12;
  }
  CHECK(between >= 2);
}

TEST_CASE("a key's tolerance ranges from one colour to all colours") {
  Composing composing;
  const Color behind{0, 0, 0, 255};
  const auto shown = [&](const Color& colour, const Color& key, double tolerance) {
    const auto frame =
        composing.compose(32, 32,
                          {fillLayer(behind, {0, 0, 32, 32}),
                           withEffects(fillLayer(colour, {0, 0, 32, 32}), keying(key, tolerance), 32, 32)});
    return (sampleAt(*frame, 0, 16, 16) - 16) / 219.0;
  };
  const Color green{0, 200, 0, 255}, nearGreen{60, 180, 40, 255}, magenta{255, 0, 255, 255};
  CHECK(shown(green, green, 1) < 0.01);
  CHECK(shown(nearGreen, green, 1) > 0.5);
  CHECK(shown(nearGreen, green, 25) < 0.01);
  CHECK(shown({200, 200, 200, 255}, green, 25) > 0.7);
  for (const Color& colour : {magenta, kWhiteColor, Color{250, 10, 10, 255}})
    CHECK(shown(colour, green, 100) < 0.01);
  // Greys differ in luma only.
  CHECK(shown({128, 128, 128, 255}, kWhiteColor, 20) > 0.4);
  CHECK(shown({240, 240, 240, 255}, kWhiteColor, 20) < 0.01);
}

TEST_CASE("a keyed image has no coloured border at its edge") {
  Composing composing;
  const int wall = composing.add(*paintRgba(31, 23, [](int, int) { return Color{0, 190, 60, 255}; }));
  const Color behind{90, 90, 90, 255};
  Layer rotated = imageLayer(wall, {0, 0, 1, 1});
  rotated.toCanvas = translation(32, 32) * rotationDegrees(20) * scaling(31, 23) * translation(-0.5, -0.5);
  for (const Layer& layer : {imageLayer(wall, {10.3, 8.6, 31, 23}), rotated}) {
    const auto frame = composing.compose(
        64, 64,
        {fillLayer(behind, {0, 0, 64, 64}), withEffects(layer, keying({0, 190, 60, 255}, 25), 31, 23)});
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x) REQUIRE(difference(rgbAt(*frame, x, y), rgbOf(behind)) <= 5);
    }
  }
}

TEST_CASE("a pane of glass before a screen keeps its share of transparency, also a large one") {
  Composing composing;
  const Color screen{20, 190, 60, 255};
  const int shot = composing.add(*paintRgba(200, 120, [&](int x, int y) {
    const bool isGlass = x >= 60 && x < 140 && y >= 20 && y < 100;
    const auto mixed = [&](uint8_t own) { return static_cast<uint8_t>(isGlass ? (own + 220) / 2 : own); };
    return Color{mixed(screen.r), mixed(screen.g), mixed(screen.b), 255};
  }));
  const auto frame =
      composing.compose(200, 120,
                        {fillLayer(kBlackColor, {0, 0, 200, 120}),
                         withEffects(imageLayer(shot, {0, 0, 200, 120}), keying(screen, 25), 200, 120)});
  CHECK(difference(rgbAt(*frame, 100, 60), {110, 110, 110}) <= 10);
  CHECK(difference(rgbAt(*frame, 10, 60), {0, 0, 0}) <= 2);
}

TEST_CASE("a thing that is more colourful than the screen does not darken the screen") {
  Composing composing;
  const Color screen{24, 90, 42, 255};
  const int shot = composing.add(*paintRgba(200, 120, [&](int x, int y) {
    return x >= 60 && x < 140 && y >= 30 && y < 90 ? Color{40, 150, 70, 255} : screen;
  }));
  const auto frame =
      composing.compose(200, 120,
                        {fillLayer(kWhiteColor, {0, 0, 200, 120}),
                         withEffects(imageLayer(shot, {0, 0, 200, 120}), keying(screen, 25), 200, 120)});
  for (const auto& [x, y] : {std::pair{10, 10}, std::pair{100, 15}, std::pair{180, 60}, std::pair{60, 110}})
    CHECK(difference(rgbAt(*frame, x, y), rgbOf(kWhiteColor)) <= 3);
}

TEST_CASE("a key shows its matte and its spill") {
  Composing composing;
  const Color green{0, 200, 0, 255}, grey{120, 120, 120, 255};
  const int shot = composing.add(*paintRgba(64, 32, [&](int x, int) { return x < 32 ? green : grey; }));
  const auto shown = [&](KeyView view, int x) {
    LayerEffects effects = keying(green, 25);
    effects.chromaKey->view = view;
    const auto frame = composing.compose(64, 32,
                                         {fillLayer({90, 10, 10, 255}, {0, 0, 64, 32}),
                                          withEffects(imageLayer(shot, {0, 0, 64, 32}), effects, 64, 32)});
    return rgbAt(*frame, x, 16);
  };
  CHECK(difference(shown(KeyView::kMatte, 8), {0, 0, 0}) <= 2);
  CHECK(difference(shown(KeyView::kMatte, 56), {255, 255, 255}) <= 2);
  CHECK(difference(shown(KeyView::kSpill, 8), {247, 247, 247}) <= 8);
  CHECK(difference(shown(KeyView::kSpill, 56), {0, 0, 0}) <= 2);
}

TEST_CASE(
    "choke hides faint parts, softness decides how many levels an edge has, despill takes the key's light") {
  Composing composing;
  const Color green{0, 200, 0, 255};
  // From screen to a grey, as in a wide soft edge.
  const int shot = composing.add(*paintRgba(128, 16, [](int x, int) {
    const double share = std::clamp((x - 32) / 64.0, 0.0, 1.0);
    const auto mixed = [&](double from) {
      return static_cast<uint8_t>(std::lround(from * (1 - share) + 150 * share));
    };
    return Color{mixed(0), mixed(200), mixed(0), 255};
  }));
  const auto composed = [&](double softness, double choke, double despill) {
    LayerEffects effects = keying(green, 25);
    effects.chromaKey->softness = softness;
    effects.chromaKey->choke = choke;
    effects.chromaKey->despill = despill;
    return composing.compose(128, 16,
                             {fillLayer(kBlackColor, {0, 0, 128, 16}),
                              withEffects(imageLayer(shot, {0, 0, 128, 16}), effects, 128, 16)});
  };
  const auto usual = composed(0.5, 0, 1), choked = composed(0.5, 0.5, 1), hard = composed(0, 0, 1),
             green0 = composed(0.5, 0, 0);
  const auto shown = [](const std::shared_ptr<Image>& frame) {
    int count = 0;
    for (int x = 0; x < 128; ++x) count += sampleAt(*frame, 0, x, 8) > 20;
    return count;
  };
  CHECK(shown(choked) < shown(usual) - 20);
  int between = 0;
  for (int x = 0; x < 128; ++x) {
    const double luma = rgbAt(*hard, x, 8).r;
    between += luma > 20 && luma < 130;
  }
  CHECK(between <= 4);
  for (int x = 40; x < 128; x += 8) CHECK(rgbAt(*usual, x, 8).g - rgbAt(*usual, x, 8).r <= 8);
  CHECK(rgbAt(*green0, 64, 8).g - rgbAt(*green0, 64, 8).r > 20);
}
