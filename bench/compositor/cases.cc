#include "cases.h"

#include <algorithm>
#include <cmath>

#include "libav/decode/blend_images.h"

namespace framewright::bench {
namespace {

using Layers = std::vector<Layer>;

constexpr int kFrames = 60;
constexpr double kPixels = kWidth * kHeight;
constexpr double kOpaqueBytes = 1.5, kAlphaBytes = 2.75;  // bytes per pixel of the working format

// Bytes moved by drawing over a part of the frame.
double replace(double pixels) { return pixels * 2 * kOpaqueBytes; }
double blend(double pixels) { return pixels * (kAlphaBytes + 2 * kOpaqueBytes); }

Layer ground() { return layerOf(kFlatPhoto, zoomed(1)); }

Layer rotated(Layer layer, double degrees) {
  layer.toCanvas =
      translation(960, 540) * rotationDegrees(degrees) * translation(-960, -540) * layer.toCanvas;
  return layer;
}

Layers texts(Layer under, int n) {
  return {std::move(under), layerOf(kTitle, {120, 760, 1100, 120}, std::min(1.0, 0.1 + n / 100.0)),
          layerOf(kSubtitle, {120, 900, 800, 64}, 0.5)};
}

Layers veils(int n) {
  Layers layers{ground()};
  for (int i = 1; i < 10; ++i) layers.push_back(layerOf(kVeil, zoomed(1), 0.3 + 0.001 * (n % 9)));
  return layers;
}

// A text whose letters appear one after another.
Layers letters(int n) {
  Layers layers{ground()};
  for (int i = 0; i < 100; ++i) {
    const double up = std::max(0, 30 - std::abs(n * 2 - i));
    layers.push_back(layerOf(kLetter, {150.0 + (i % 34) * 46, 700.0 + i / 34 * 90 - up, 40, 48}));
  }
  return layers;
}

// A transition from a still to a photo that is zoomed in.
Layers transition(const char* style, int n) {
  auto from = std::make_shared<DrawList>(), to = std::make_shared<DrawList>();
  from->layers = {ground()};
  to->layers = {layerOf(kPhoto, zoomed(1.07 + 0.0005 * n))};
  Layer layer;
  layer.kind = Layer::Kind::kTransition;
  layer.from = std::move(from);
  layer.to = std::move(to);
  layer.style = style;
  layer.progress = 0.4 + 0.001 * n;
  layer.image = kLuma;
  layer.wipe.softness = 0.2;
  return {layer};
}

// A full-frame image with one effect: the maximum cost of an effect. Every `n` gives a different layer.
Layers affected(const std::function<void(LayerEffects&)>& set, int n) {
  Layer layer = ground();
  layer.effects.emplace();
  layer.effects->box = layer.toCanvas;
  layer.effects->boxWidth = kWidth;
  layer.effects->boxHeight = kHeight + 0.001 * n;
  set(*layer.effects);
  return {ground(), layer};
}

void addPlain(std::vector<Case>& cases) {
  const double text = 1100 * 120 + 800 * 64;
  cases.push_back({"still, copied", [](int) { return Layers{ground()}; }, replace(kPixels)});
  cases.push_back({"clip, copied", [](int) { return Layers{layerOf(kVideo, zoomed(1))}; }, replace(kPixels)});
  cases.push_back(
      {"still, zooming", [](int n) { return Layers{layerOf(kPhoto, zoomed(zoomAt(n)))}; }, replace(kPixels)});
  cases.push_back({"still, shrunk 1.6x",
                   [](int n) { return Layers{layerOf(kPhoto, zoomed(0.72 + n * 1e-4))}; },
                   replace(kPixels * 0.52)});
  cases.push_back({"still, turned 3 degrees",
                   [](int) {
                     return Layers{ground(), rotated(layerOf(kPhoto, zoomed(1.07)), 3)};
                   },
                   replace(kPixels)});
  cases.push_back({"still, turned 90 degrees",
                   [](int) {
                     return Layers{ground(), rotated(layerOf(kPhoto, zoomed(1.8)), 90)};
                   },
                   replace(kPixels)});
  cases.push_back({"still + full-frame alpha",
                   [](int) {
                     return Layers{ground(), layerOf(kVeil, zoomed(1))};
                   },
                   replace(kPixels) + blend(kPixels)});
  cases.push_back({"still + full-frame alpha, zooming",
                   [](int n) {
                     return Layers{ground(), layerOf(kVeil, zoomed(zoomAt(n)))};
                   },
                   replace(kPixels) + blend(kPixels)});
  cases.push_back({"10 full-frame layers, alpha", veils, replace(kPixels) + 9 * blend(kPixels)});
  cases.push_back(
      {"still + two texts", [](int) { return texts(ground(), 50); }, replace(kPixels) + blend(text)});
  cases.push_back({"clip + two texts", [](int n) { return texts(layerOf(kVideo, zoomed(1)), n); },
                   replace(kPixels) + blend(text)});
  cases.push_back({"still + 100 letters", letters, replace(kPixels) + blend(100 * 40 * 48)});
}

void addSequences(std::vector<Case>& cases) {
  const double title = 1100 * 120, turn = kPixels * 0.09;
  cases.push_back({"after another: still + fading title", [](int n) { return texts(ground(), n % 90); },
                   replace(title) + blend(title), true});
  cases.push_back(
      {"after another: still + 100 letters", letters, replace(60 * 40 * 80) + blend(60 * 40 * 48), true});
  cases.push_back({"after another: still + turning logo",
                   [](int n) {
                     return Layers{ground(), rotated(layerOf(kLogo, {800, 400, 400, 400}), n)};
                   },
                   replace(turn) + blend(turn), true});
  cases.push_back({"after another: still, zooming",
                   [](int n) { return Layers{layerOf(kPhoto, zoomed(zoomAt(n)))}; }, replace(kPixels), true});
  cases.push_back({"after another: blurred still + fading title",
                   [](int n) {
                     Layers layers = affected([](LayerEffects& e) { e.blur = 20; }, 0);
                     layers.push_back(layerOf(kTitle, {120, 760, 1100, 120}, 0.1 + 0.01 * n));
                     return layers;
                   },
                   replace(title) + blend(title), true});
  cases.push_back({"after another: clip + blurred box",
                   [](int n) {
                     Layers layers = affected([](LayerEffects& e) { e.blur = 8; }, 0);
                     layers[0] = layerOf(kVideo, {0, 0.001 * n, kWidth, kHeight + 1.0});
                     layers[1].toCanvas = {500, 0, 100, 0, 400, 100};
                     return layers;
                   },
                   replace(kPixels) + blend(500 * 400), true});
  cases.push_back({"after another: transition fade", [](int n) { return transition("fade", n); },
                   kPixels * 3 * kOpaqueBytes, true});
}

void addTransitions(std::vector<Case>& cases) {
  for (const char* style :
       {"fade",     "slideleft",  "squeezev",  "zoomin",         "smoothleft",  "hlslice",
        "wipetl",   "radial",     "dissolve",  "fadeblack",      "fadefast",    "distance",
        "pixelize", "hblur",      "push-left", "whip-pan-left",  "whip-pan-up", "zoom-blur",
        "glitch",   "light-leak", "film-burn", "page-curl-left", "luma"}) {
    cases.push_back({style, [style](int n) { return transition(style, n); }, kPixels * 3 * kOpaqueBytes});
  }
}

void addEffects(std::vector<Case>& cases) {
  struct Effect {
    const char* name;
    std::function<void(LayerEffects&)> set;
  };
  const Effect effects[] = {
      {"effect round corners", [](LayerEffects& e) { e.cornerRadius = 40; }},
      {"effect reveal",
       [](LayerEffects& e) {
         e.revealed = {0.3, 0, 0.7, 1};
       }},
      {"effect correction",
       [](LayerEffects& e) {
         e.correction = Correction{0.1, 1.2, 1, 1.3};
       }},
      {"effect correction with gamma",
       [](LayerEffects& e) {
         e.correction = Correction{0.1, 1.2, 1.3, 1.3};
       }},
      {"effect chroma key",
       [](LayerEffects& e) {
         e.chromaKey = ChromaKey{{0, 200, 0, 255}, 25};
       }},
      {"effect mask", [](LayerEffects& e) { e.mask = kPhoto; }},
      {"effect LUT", [](LayerEffects& e) { e.grade = kGrade; }},
      {"effect blur, sigma 2", [](LayerEffects& e) { e.blur = 2; }},
      {"effect blur, sigma 20", [](LayerEffects& e) { e.blur = 20; }},
      {"effect sharpen", [](LayerEffects& e) { e.finish.sharpen = 0.5; }},
      {"effect vignette",
       [](LayerEffects& e) {
         e.finish.vignette = Vignette{0.5};
         e.vignetteBox = scaling(kWidth, kHeight);
       }},
      {"effect grain", [](LayerEffects& e) { e.finish.grain = 0.2; }},
      {"effect drop shadow, sigma 20",
       [](LayerEffects& e) {
         e.shadows = {{{0, 0, 0, 128}, 20, 0, 16}};
       }},
      {"effect perspective",
       [](LayerEffects& e) {
         constexpr double kAngle = 0.5, kDistance = 2000;
         e.projection = homography(translation(kWidth / 2.0, kHeight / 2.0)) *
                        Homography{{std::cos(kAngle), 0, 0, 0, 1, 0, std::sin(kAngle) / kDistance, 0, 1}} *
                        homography(translation(-kWidth / 2.0, -kHeight / 2.0));
       }},
      {"effect motion blur, 32 copies",
       [](LayerEffects& e) {
         for (int i = 0; i < 32; ++i) e.motion.push_back(translation(1.25 * (i - 15.5), 0));
       }},
      {"effect blend multiply", [](LayerEffects& e) { e.blend = BlendMode::kMultiply; }},
      {"effect blend soft-light", [](LayerEffects& e) { e.blend = BlendMode::kSoftLight; }},
  };
  for (const Effect& effect : effects) {
    cases.push_back({effect.name, [set = effect.set](int n) { return affected(set, n); },
                     replace(kPixels) + blend(kPixels)});
  }
}

void addRetime(std::vector<Case>& cases) {
  const auto frameOf = [](int seed) {
    const auto frame = require(Image::create(PixelFormat::kI420, kWidth, kHeight));
    for (int p = 0; p < 3; ++p) {
      const Plane& plane = frame->plane(p);
      for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x)
          plane.data[y * plane.stride + x] = static_cast<uint8_t>(x * seed + y);
    }
    return ImagePtr(frame);
  };
  const ImagePtr from = frameOf(3), to = frameOf(5);
  cases.push_back({"retime: mix of two frames", nullptr, replace(kPixels) + kPixels * kOpaqueBytes, false,
                   [from, to](int n) { require(blendImages(from, to, 0.1 + 0.01 * n)); }});
}

}  // namespace

std::vector<Case> allCases() {
  std::vector<Case> cases;
  addPlain(cases);
  addSequences(cases);
  addTransitions(cases);
  addEffects(cases);
  addRetime(cases);
  return cases;
}

double timeCase(Compositor& compositor, const std::vector<PreparedImagePtr>& images, const Case& one) {
  std::shared_ptr<Image> frames[4];  // an encoder retains some while others are drawn
  for (auto& frame : frames) frame = require(compositor.createFrame(PixelFormat::kI420, kWidth, kHeight));
  DrawList before;
  std::vector<double> times;
  for (int n = 0; n < kFrames; ++n) {
    if (one.work != nullptr) {
      const double start = cpuSeconds();
      one.work(n);
      times.push_back((cpuSeconds() - start) * 1e3);
      continue;
    }
    DrawList list;
    list.layers = one.layers(n);
    Image& frame = one.sequence ? *frames[n % 4] : *frames[0];
    const double start = cpuSeconds();
    const Status status =
        one.sequence && n > 0
            ? compositor.recompose(list, images, {before, images, *frames[(n - 1) % 4]}, frame)
            : compositor.compose(list, images, frame);
    if (!status.ok()) fail("a frame could not be composed");
    times.push_back((cpuSeconds() - start) * 1e3);
    before = std::move(list);
  }
  std::nth_element(times.begin(), times.begin() + kFrames / 2, times.end());
  return times[kFrames / 2];
}

}  // namespace framewright::bench
