#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "compositor/compositor.h"

namespace framewright {

inline std::shared_ptr<Image> makeImage(PixelFormat format, int width, int height) {
  auto image = Image::create(format, width, height);
  REQUIRE(image.ok());
  return image.take();
}

// Paints an RGBA image by a function of the pixel.
inline std::shared_ptr<Image> paintRgba(int width, int height, const std::function<Color(int, int)>& paint,
                                        PixelFormat format = PixelFormat::kRgbaStraight) {
  auto image = makeImage(format, width, height);
  const Plane& plane = image->plane(0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Color color = paint(x, y);
      uint8_t* px = plane.data + y * plane.stride + 4 * x;
      px[0] = color.r, px[1] = color.g, px[2] = color.b, px[3] = color.a;
    }
  }
  return image;
}

// Paints an I420 image by a function of plane and sample.
inline std::shared_ptr<Image> paintPlanes(int width, int height,
                                          const std::function<int(int, int, int)>& paint) {
  auto image = makeImage(PixelFormat::kI420, width, height);
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = image->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x)
        plane.data[y * plane.stride + x] = static_cast<uint8_t>(paint(p, x, y));
    }
  }
  return image;
}

inline int sampleAt(const Image& image, int plane, int x, int y) {
  return image.plane(plane).data[y * image.plane(plane).stride + x];
}

inline Layer fillLayer(const Color& color, const Rect& rect, double opacity = 1) {
  Layer layer;
  layer.fill = color;
  layer.toCanvas = {rect.width, 0, rect.x, 0, rect.height, rect.y};
  layer.opacity = opacity;
  return layer;
}

inline Layer imageLayer(int image, const Rect& rect, double opacity = 1) {
  Layer layer = fillLayer({}, rect, opacity);
  layer.kind = Layer::Kind::kImage;
  layer.image = image;
  return layer;
}

// Composes layers with a compositor that persists between frames, as in a render.
struct Composing {
  std::unique_ptr<Compositor> compositor = createCpuCompositor();
  std::vector<PreparedImagePtr> images;

  int add(const Image& image, double drawnWidth = 0, double drawnHeight = 0) {
    auto prepared = compositor->prepareStill(image, drawnWidth, drawnHeight);
    REQUIRE(prepared.ok());
    images.push_back(prepared.take());
    return static_cast<int>(images.size()) - 1;
  }
  int addVideo(ImagePtr image) {
    auto prepared = compositor->prepareVideoFrame(std::move(image), 0, 0);
    REQUIRE(prepared.ok());
    images.push_back(prepared.take());
    return static_cast<int>(images.size()) - 1;
  }
  std::shared_ptr<Image> compose(int width, int height, std::vector<Layer> layers) {
    DrawList list;
    list.layers = std::move(layers);
    return composeList(width, height, list);
  }
  std::shared_ptr<Image> composeList(int width, int height, const DrawList& list) {
    auto frame = paintPlanes(
        width, height, [](int, int, int) { return 77; });  // contents that must be overwritten completely
    const Status status = compositor->compose(list, images, *frame);
    REQUIRE(status.ok());
    return frame;
  }
};

inline int largestDifference(const Image& a, const Image& b) {
  int largest = 0;
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < a.plane(p).height; ++y) {
      for (int x = 0; x < a.plane(p).width; ++x) {
        largest = std::max(largest, std::abs(sampleAt(a, p, x, y) - sampleAt(b, p, x, y)));
      }
    }
  }
  return largest;
}

}  // namespace framewright
