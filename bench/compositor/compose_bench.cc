// Composes a typical 1080p frame sequence and encodes the same frames with x264, in turn and on one thread,
// and prints what each costs. `--json` for machines, `--frames N` (default 120).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <time.h>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
}

#include "compositor/compositor.h"

using namespace framewright;

namespace {

constexpr int kWidth = 1920, kHeight = 1080;
constexpr double kBudget = 0.25;  // of the encoder's time

double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "compose_bench: %s\n", what.c_str());
  std::exit(1);
}

template <typename T>
T require(Result<T> result) {
  if (!result.ok()) fail(result.error().message + " " + result.error().detail);
  return result.take();
}

std::shared_ptr<Image> paint(int width, int height, const std::function<Color(int, int)>& at) {
  auto image = require(Image::create(PixelFormat::kRgbaStraight, width, height));
  for (int y = 0; y < height; ++y) {
    uint8_t* px = image->plane(0).data + y * image->plane(0).stride;
    for (int x = 0; x < width; ++x, px += 4) {
      const Color c = at(x, y);
      px[0] = c.r, px[1] = c.g, px[2] = c.b, px[3] = c.a;
    }
  }
  return image;
}

// Gradients, soft shapes and film grain: what a photo asks of an encoder.
std::shared_ptr<Image> photo(int width, int height) {
  uint32_t state = 1;
  return paint(width, height, [&](int x, int y) {
    state = state * 1664525 + 1013904223;
    const double grain = (static_cast<double>(state >> 24) - 128) / 24;
    const double u = static_cast<double>(x) / width, v = static_cast<double>(y) / height;
    const double hills = 40 * std::sin(9 * u + 3 * std::sin(5 * v)) + 25 * std::sin(31 * v + 17 * u) +
                         (std::fmod(std::abs(u * 37 + v * 23), 1) < 0.08 ? 50 : 0);
    const auto sample = [&](double base) {
      return static_cast<uint8_t>(std::clamp(base + hills + grain, 0.0, 255.0));
    };
    return Color{sample(90 + 100 * v), sample(120 + 30 * u), sample(180 - 110 * v), 255};
  });
}

// Vertical strokes with soft edges on a transparent ground, as dense as text.
std::shared_ptr<Image> textSprite(int width, int height) {
  return paint(width, height, [&](int x, int y) {
    const int column = x % (height / 2), edge = height / 10;
    const bool gap = y < height / 6 || y > height * 5 / 6;
    const int distance = std::min(std::abs(column - edge * 2), std::abs(y % (height / 2) - edge * 2));
    const int alpha = gap ? 0 : std::clamp(255 * (edge - distance) / 3, 0, 255);
    return Color{255, 250, 240, static_cast<uint8_t>(alpha)};
  });
}

std::shared_ptr<Image> logo(int size) {
  return paint(size, size, [&](int x, int y) {
    const double d = std::hypot(x - size / 2.0, y - size / 2.0);
    const int alpha = std::clamp(static_cast<int>((size / 2.0 - 2 - d) * 255), 0, 255);
    return Color{static_cast<uint8_t>(x * 255 / size), 80, 200, static_cast<uint8_t>(alpha)};
  });
}

Layer layerOf(int picture, const Rect& rect, double opacity = 1) {
  Layer layer;
  layer.kind = Layer::Kind::kPicture;
  layer.picture = picture;
  layer.toCanvas = {rect.width, 0, rect.x, 0, rect.height, rect.y};
  layer.opacity = opacity;
  return layer;
}

Rect zoomed(double scale) {
  return {kWidth * (1 - scale) / 2, kHeight * (1 - scale) / 2, kWidth * scale, kHeight * scale};
}

double zoomAt(int frame) { return 1 + 0.15 * (frame % 300) / 300.0; }

enum Pictures { kPhoto, kTitle, kSubtitle, kLogo, kVeil, kFlatPhoto };

std::vector<PicturePtr> preparePictures(Compositor& compositor) {
  std::vector<PicturePtr> pictures;
  pictures.push_back(require(compositor.prepareStill(*photo(3000, 1688), kWidth * 1.15, kHeight * 1.15)));
  pictures.push_back(require(compositor.prepareStill(*textSprite(1100, 120), 1100, 120)));
  pictures.push_back(require(compositor.prepareStill(*textSprite(800, 64), 800, 64)));
  pictures.push_back(require(compositor.prepareStill(*logo(160), 160, 160)));
  pictures.push_back(require(compositor.prepareStill(
      *paint(kWidth, kHeight,
             [](int x, int y) {
               return Color{30, 40, static_cast<uint8_t>(x), static_cast<uint8_t>((x + y) / 16)};
             }),
      kWidth, kHeight)));
  pictures.push_back(require(compositor.prepareStill(*photo(kWidth, kHeight), kWidth, kHeight)));
  return pictures;
}

DrawList typicalFrame(int frame) {
  DrawList list;
  list.layers = {layerOf(kPhoto, zoomed(zoomAt(frame))),
                 layerOf(kTitle, {120, 760, 1100, 120}, std::min(1.0, frame / 15.0 + 0.1)),
                 layerOf(kSubtitle, {120, 900.0 - 0.37 * (frame % 40), 800, 64}),
                 layerOf(kLogo, {1700, 60, 160, 160})};
  return list;
}

// libx264 through libav, one thread, as the engine's encoder is set.
class Encoder {
 public:
  Encoder() {
    const AVCodec* codec = avcodec_find_encoder_by_name("libx264");
    if (codec == nullptr) fail("libx264 is not there");
    context_ = avcodec_alloc_context3(codec);
    context_->width = kWidth;
    context_->height = kHeight;
    context_->pix_fmt = AV_PIX_FMT_YUV420P;
    context_->time_base = {1, 30};
    context_->framerate = {30, 1};
    context_->thread_count = 1;
    av_opt_set(context_->priv_data, "preset", "veryfast", 0);
    av_opt_set(context_->priv_data, "crf", "23", 0);
    if (avcodec_open2(context_, codec, nullptr) < 0) fail("libx264 cannot be opened");
    frame_ = av_frame_alloc();
    packet_ = av_packet_alloc();
  }
  ~Encoder() {
    av_packet_free(&packet_);
    av_frame_free(&frame_);
    avcodec_free_context(&context_);
  }

  // The encoder copies what it keeps, so the image is free again afterwards.
  void encode(const Image& image, int64_t pts) {
    frame_->format = AV_PIX_FMT_YUV420P;
    frame_->width = kWidth;
    frame_->height = kHeight;
    frame_->pts = pts;
    for (int i = 0; i < 3; ++i) {
      frame_->data[i] = image.plane(i).data;
      frame_->linesize[i] = static_cast<int>(image.plane(i).stride);
    }
    if (avcodec_send_frame(context_, frame_) < 0) fail("the encoder refused a frame");
    drain();
  }
  void finish() {
    avcodec_send_frame(context_, nullptr);
    drain();
  }
  int64_t bytes() const { return bytes_; }

 private:
  void drain() {
    while (avcodec_receive_packet(context_, packet_) == 0) {
      bytes_ += packet_->size;
      av_packet_unref(packet_);
    }
  }

  AVCodecContext* context_ = nullptr;
  AVFrame* frame_ = nullptr;
  AVPacket* packet_ = nullptr;
  int64_t bytes_ = 0;
};

double copyBandwidth() {
  constexpr size_t kBytes = size_t{128} << 20;
  std::vector<char> from(kBytes, 1), to(kBytes, 2);
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    const double start = cpuSeconds();
    std::memcpy(to.data(), from.data(), kBytes);
    best = std::max(best, 2.0 * kBytes / (cpuSeconds() - start) / 1e9);
    from[static_cast<size_t>(round)] = to[static_cast<size_t>(kBytes / 2)];
  }
  return best;
}

struct Case {
  const char* name;
  double milliseconds;
};

// Median time of one list.
double timeList(Compositor& compositor, const std::vector<PicturePtr>& pictures, Image& frame,
                const std::function<DrawList(int)>& listAt) {
  std::vector<double> times;
  for (int n = 0; n < 60; ++n) {
    const DrawList list = listAt(n);
    const double start = cpuSeconds();
    if (!compositor.compose(list, pictures, frame).ok()) fail("a frame could not be composed");
    times.push_back((cpuSeconds() - start) * 1e3);
  }
  std::nth_element(times.begin(), times.begin() + 30, times.end());
  return times[30];
}

std::vector<Case> timeCases(Compositor& compositor, const std::vector<PicturePtr>& pictures, Image& frame) {
  const auto time = [&](const char* name, const std::function<std::vector<Layer>(int)>& layers) {
    return Case{name, timeList(compositor, pictures, frame, [&](int n) {
                  DrawList list;
                  list.layers = layers(n);
                  return list;
                })};
  };
  using Layers = std::vector<Layer>;
  const Layer ground = layerOf(kFlatPhoto, zoomed(1));
  const Layer photoLayer = layerOf(kPhoto, zoomed(1.07));
  Layer turned = photoLayer;
  turned.toCanvas =
      translation(960, 540) * rotationDegrees(3) * translation(-960, -540) * photoLayer.toCanvas;
  auto from = std::make_shared<DrawList>(), to = std::make_shared<DrawList>();
  from->layers = {ground};
  to->layers = {photoLayer};
  Layer crossing;
  crossing.kind = Layer::Kind::kTransition;
  crossing.from = from;
  crossing.to = to;
  crossing.progress = 0.4;
  const auto transition = [&](const char* style) {
    Layer layer = crossing;
    layer.style = style;
    return Layers{layer};
  };
  // A full-frame picture with one effect: what an effect can cost at most.
  const auto affected = [&](const std::function<void(LayerEffects&)>& set) {
    Layer layer = ground;
    layer.effects.emplace();
    layer.effects->box = layer.toCanvas;
    layer.effects->boxWidth = 1920;
    layer.effects->boxHeight = 1080;
    set(*layer.effects);
    return Layers{ground, layer};
  };
  return {
      time("full-frame opaque, copied", [&](int) { return Layers{ground}; }),
      time("full-frame opaque, zooming", [&](int n) { return Layers{layerOf(kPhoto, zoomed(zoomAt(n)))}; }),
      time("full-frame opaque, shrunk 1.6x",
           [&](int n) { return Layers{layerOf(kPhoto, zoomed(0.72 + n * 1e-4))}; }),
      time("full-frame opaque, turned 3 degrees",
           [&](int) {
             return Layers{ground, turned};
           }),
      time("ground + full-frame alpha",
           [&](int) {
             return Layers{ground, layerOf(kVeil, zoomed(1))};
           }),
      time("ground + full-frame alpha, zooming",
           [&](int n) {
             return Layers{ground, layerOf(kVeil, zoomed(zoomAt(n)))};
           }),
      time("ground + lower third (two texts)",
           [&](int) {
             return Layers{ground, layerOf(kTitle, {120, 760, 1100, 120}),
                           layerOf(kSubtitle, {120, 900, 800, 64}, 0.5)};
           }),
      time("transition fade", [&](int) { return transition("fade"); }),
      time("transition slideleft", [&](int) { return transition("slideleft"); }),
      time("transition squeezev", [&](int) { return transition("squeezev"); }),
      time("transition zoomin", [&](int) { return transition("zoomin"); }),
      time("transition smoothleft", [&](int) { return transition("smoothleft"); }),
      time("transition hlslice", [&](int) { return transition("hlslice"); }),
      time("transition wipetl", [&](int) { return transition("wipetl"); }),
      time("transition radial", [&](int) { return transition("radial"); }),
      time("transition dissolve", [&](int) { return transition("dissolve"); }),
      time("transition fadeblack", [&](int) { return transition("fadeblack"); }),
      time("transition fadefast", [&](int) { return transition("fadefast"); }),
      time("transition distance", [&](int) { return transition("distance"); }),
      time("transition pixelize", [&](int) { return transition("pixelize"); }),
      time("transition hblur", [&](int) { return transition("hblur"); }),
      time("effect round corners", [&](int) { return affected([](auto& e) { e.cornerRadius = 40; }); }),
      time("effect reveal", [&](int) { return affected([](auto& e) {
                                         e.revealed = {0.3, 0, 0.7, 1};
                                       }); }),
      time("effect correction",
           [&](int) { return affected([](auto& e) {
                        e.correction = Correction{0.1, 1.2, 1, 1.3};
                      }); }),
      time("effect chroma key",
           [&](int) { return affected([](auto& e) {
                        e.chromaKey = ChromaKey{{0, 200, 0, 255}, 25};
                      }); }),
      time("effect mask", [&](int) { return affected([](auto& e) { e.mask = kPhoto; }); }),
      time("effect blur, sigma 2", [&](int) { return affected([](auto& e) { e.blur = 2; }); }),
      time("effect blur, sigma 20", [&](int) { return affected([](auto& e) { e.blur = 20; }); }),
      time("effect blend multiply",
           [&](int) { return affected([](auto& e) { e.blend = BlendMode::kMultiply; }); }),
      time("effect blend soft-light",
           [&](int) { return affected([](auto& e) { e.blend = BlendMode::kSoftLight; }); })};
}

struct Comparison {
  double composeMs = 0, encodeMs = 0;
  int64_t bytes = 0;
};

Comparison compareWithEncoder(Compositor& compositor, const std::vector<PicturePtr>& pictures, Image& frame,
                              int frames) {
  Comparison total;
  Encoder encoder;
  for (int n = 0; n < frames; ++n) {
    const DrawList list = typicalFrame(n);
    const double start = cpuSeconds();
    if (!compositor.compose(list, pictures, frame).ok()) fail("a frame could not be composed");
    const double composed = cpuSeconds();
    encoder.encode(frame, n);
    total.composeMs += (composed - start) * 1e3;
    total.encodeMs += (cpuSeconds() - composed) * 1e3;
  }
  const double start = cpuSeconds();
  encoder.finish();
  total.encodeMs += (cpuSeconds() - start) * 1e3;
  total.composeMs /= frames;
  total.encodeMs /= frames;
  total.bytes = encoder.bytes();
  return total;
}

void printTable(const Comparison& typical, double bandwidth, const std::vector<Case>& cases, int frames) {
  const double ratio = typical.composeMs / typical.encodeMs;
  std::printf("typical 1080p frame, %d frames, CPU time, one thread\n", frames);
  std::printf("  compose            %8.3f ms/frame\n", typical.composeMs);
  std::printf("  x264 veryfast crf23%8.3f ms/frame  (%.1f Mbit/s)\n", typical.encodeMs,
              static_cast<double>(typical.bytes) * 8 * 30 / frames / 1e6);
  std::printf("  compose / encode   %8.3f           (at most %.2f: %s)\n", ratio, kBudget,
              ratio <= kBudget ? "met" : "MISSED");
  std::printf("memory bandwidth     %8.1f GB/s (copy, read + write)\n", bandwidth);
  for (const Case& c : cases) std::printf("%-38s %7.3f ms\n", c.name, c.milliseconds);
}

void printJson(const Comparison& typical, double bandwidth, const std::vector<Case>& cases, int frames) {
  std::printf(
      "{\"frames\":%d,\"composeMs\":%.4f,\"encodeMs\":%.4f,\"ratio\":%.4f,\"budget\":%.2f,\"bandwidthGBs\":%."
      "2f,\"cases\":[",
      frames, typical.composeMs, typical.encodeMs, typical.composeMs / typical.encodeMs, kBudget, bandwidth);
  for (size_t i = 0; i < cases.size(); ++i) {
    std::printf("%s{\"name\":\"%s\",\"ms\":%.4f}", i > 0 ? "," : "", cases[i].name, cases[i].milliseconds);
  }
  std::printf("]}\n");
}

}  // namespace

int main(int argc, char** argv) {
  bool json = false;
  int frames = 120;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) {
      json = true;
    } else if (std::strcmp(argv[i], "--frames") == 0 && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      frames = std::atoi(argv[++i]);
    } else {
      fail("usage: compose_bench [--json] [--frames N], N at least 1");
    }
  }
  av_log_set_level(AV_LOG_ERROR);
  const auto compositor = createCpuCompositor();
  const std::vector<PicturePtr> pictures = preparePictures(*compositor);
  const auto frame = require(Image::create(PixelFormat::kI420, kWidth, kHeight));
  const double bandwidth = copyBandwidth();
  const Comparison typical = compareWithEncoder(*compositor, pictures, *frame, frames);
  const std::vector<Case> cases = timeCases(*compositor, pictures, *frame);
  (json ? printJson : printTable)(typical, bandwidth, cases, frames);
  return 0;
}
