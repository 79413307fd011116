#include "scenes.h"

#include <algorithm>
#include <cmath>

#include <time.h>

#include "compositor/plan/effects/grade_table.h"
#include "formats/color_table_file.h"

namespace framewright::bench {

double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void fail(const std::string& what) {
  std::fprintf(stderr, "compose_bench: %s\n", what.c_str());
  std::exit(1);
}

namespace {

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

// Gradients, soft shapes and noise: as hard to encode as a photo.
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

// Vertical strokes with soft edges on a transparent background, as dense as text.
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

// A frame of a clip, with 8 or 10 bits.
ImagePtr videoFrame(bool isDeep) {
  const auto frame =
      require(Image::create(isDeep ? PixelFormat::kI010 : PixelFormat::kI420, kWidth, kHeight));
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = frame->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      uint8_t* const row = plane.data + y * plane.stride;
      for (int x = 0; x < plane.width; ++x) {
        const int code = 60 + (x * 3 + y * 5) % 120;
        if (isDeep) {
          reinterpret_cast<uint16_t*>(row)[x] = static_cast<uint16_t>(4 * code);
        } else {
          row[x] = static_cast<uint8_t>(code);
        }
      }
    }
  }
  return frame;
}

// A color table that makes colours warmer and steeper.
std::vector<uint16_t> warmTable() {
  std::vector<uint16_t> vertices;
  const auto steep = [](double at, double gain) {
    return static_cast<uint16_t>(65535 * std::clamp(at * at * (3 - 2 * at) * gain, 0.0, 1.0));
  };
  constexpr double kLast = kColorTableSide - 1;
  for (int b = 0; b < kColorTableSide; ++b) {
    for (int g = 0; g < kColorTableSide; ++g) {
      for (int r = 0; r < kColorTableSide; ++r) {
        vertices.push_back(steep(r / kLast, 1.08));
        vertices.push_back(steep(g / kLast, 1));
        vertices.push_back(steep(b / kLast, 0.9));
      }
    }
  }
  return vertices;
}

}  // namespace

Layer layerOf(int image, const Rect& rect, double opacity) {
  Layer layer;
  layer.kind = Layer::Kind::kImage;
  layer.image = image;
  layer.toCanvas = {rect.width, 0, rect.x, 0, rect.height, rect.y};
  layer.opacity = opacity;
  return layer;
}

Rect zoomed(double scale) {
  return {kWidth * (1 - scale) / 2, kHeight * (1 - scale) / 2, kWidth * scale, kHeight * scale};
}

double zoomAt(int frame) { return 1 + 0.15 * (frame % 300) / 300.0; }

std::vector<PreparedImagePtr> prepareImages(Compositor& compositor) {
  std::vector<PreparedImagePtr> images;
  images.push_back(require(compositor.prepareStill(*photo(3000, 1688), kWidth * 1.15, kHeight * 1.15)));
  images.push_back(require(compositor.prepareStill(*textSprite(1100, 120), 1100, 120)));
  images.push_back(require(compositor.prepareStill(*textSprite(800, 64), 800, 64)));
  images.push_back(require(compositor.prepareStill(*logo(160), 160, 160)));
  images.push_back(require(compositor.prepareStill(
      *paint(kWidth, kHeight,
             [](int x, int y) {
               return Color{30, 40, static_cast<uint8_t>(x), static_cast<uint8_t>((x + y) / 16)};
             }),
      kWidth, kHeight)));
  images.push_back(require(compositor.prepareStill(*photo(kWidth, kHeight), kWidth, kHeight)));
  images.push_back(require(compositor.prepareStill(*textSprite(40, 48), 40, 48)));
  const bool isDeep = compositor.deepColor().has_value();
  images.push_back(require(compositor.prepareVideoFrame(videoFrame(isDeep), kWidth, kHeight)));
  images.push_back(require(compositor.prepareVideoFrame(require(gradeTableImage(warmTable())), 0, 0)));
  images.push_back(require(compositor.prepareStill(*photo(kWidth, kHeight), kWidth, kHeight)));
  return images;
}

DrawList typicalFrame(int frame) {
  DrawList list;
  list.layers = {layerOf(kPhoto, zoomed(zoomAt(frame))),
                 layerOf(kTitle, {120, 760, 1100, 120}, std::min(1.0, frame / 15.0 + 0.1)),
                 layerOf(kSubtitle, {120, 900.0 - 0.37 * (frame % 40), 800, 64}),
                 layerOf(kLogo, {1700, 60, 160, 160})};
  return list;
}

}  // namespace framewright::bench
