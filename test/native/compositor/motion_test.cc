#include "compositor/compose_testing.h"
#include "core/homography.h"
#include "sanitizers.h"

using namespace framewright;

namespace {

// A soft bright spot on a dark background.
std::shared_ptr<Image> spotImage(int width, int height, double x, double y, double radius) {
  return paintPlanes(width, height, [=](int p, int px, int py) {
    if (p != 0) return 128;
    const double d2 = (px + 0.5 - x) * (px + 0.5 - x) + (py + 0.5 - y) * (py + 0.5 - y);
    return static_cast<int>(std::lround(30 + 200 * std::exp(-d2 / (2 * radius * radius))));
  });
}

// Intensity-weighted centre of the spot near a position.
Point centroid(const Image& frame, Point near, int reach) {
  double sum = 0, x = 0, y = 0;
  for (int py = static_cast<int>(near.y) - reach; py <= static_cast<int>(near.y) + reach; ++py) {
    for (int px = static_cast<int>(near.x) - reach; px <= static_cast<int>(near.x) + reach; ++px) {
      const double light = std::max(0, sampleAt(frame, 0, px, py) - 34);
      sum += light;
      x += light * (px + 0.5);
      y += light * (py + 0.5);
    }
  }
  return {x / sum, y / sum};
}

// Maximum second difference of the spot's path and maximum deviation from its expected position.
struct Track {
  double jerk = 0;
  double miss = 0;
};

Track follow(const Image& image, Point spot, double drawnWidth, int frames,
             const std::function<Affine(int)>& imageToCanvas) {
  Composing composing;
  const int index = composing.add(image, drawnWidth, drawnWidth * image.height() / image.width());
  Track track;
  std::vector<Point> path;
  for (int n = 0; n < fewerWithSanitizers(frames); ++n) {
    const Affine place = imageToCanvas(n);
    Layer layer = imageLayer(index, {});
    layer.toCanvas = place * scaling(image.width(), image.height());
    const auto frame = composing.compose(1920, 1080, {layer});
    const Point expected{place.xx * spot.x + place.xy * spot.y + place.dx,
                         place.yx * spot.x + place.yy * spot.y + place.dy};
    const Point found = centroid(*frame, expected, 20);
    track.miss = std::max(track.miss, std::hypot(found.x - expected.x, found.y - expected.y));
    path.push_back(found);
    if (path.size() >= 3) {
      const size_t i = path.size() - 1;
      track.jerk = std::max({track.jerk, std::abs(path[i].x - 2 * path[i - 1].x + path[i - 2].x),
                             std::abs(path[i].y - 2 * path[i - 1].y + path[i - 2].y)});
    }
  }
  return track;
}

}  // namespace

TEST_CASE("a slow zoom moves smoothly") {
  const auto image = spotImage(2400, 1350, 1700.3, 420.8, 4);
  const Track track = follow(*image, {1700.3, 420.8}, 1920 * 1.15, 150, [](int n) {
    const double scale = (1 + 0.15 * n / 150) * 1920 / 2400;
    return translation(960, 540) * scaling(scale, scale) * translation(-1200, -675);
  });
  MESSAGE("zoom: second difference ", track.jerk, " px, farthest from its place ", track.miss, " px");
  CHECK(track.jerk < 0.05);
  CHECK(track.miss < 0.05);
}

TEST_CASE("a slow pan moves smoothly") {
  const auto image = spotImage(2112, 1188, 1100.5, 600.25, 4);
  const Track track =
      follow(*image, {1100.5, 600.25}, 2112, 120, [](int n) { return translation(-0.173 * n, -0.061 * n); });
  MESSAGE("pan: second difference ", track.jerk, " px, farthest from its place ", track.miss, " px");
  CHECK(track.jerk < 0.05);
  CHECK(track.miss < 0.05);
}

TEST_CASE("a slow rotation moves smoothly") {
  const auto image = spotImage(1920, 1080, 1400.5, 300.25, 4);
  const Track track = follow(*image, {1400.5, 300.25}, 1920, 60, [](int n) {
    return translation(960, 540) * rotationDegrees(0.021 * (n + 1)) * translation(-960, -540);
  });
  MESSAGE("turn: second difference ", track.jerk, " px, farthest from its place ", track.miss, " px");
  CHECK(track.jerk < 0.05);
  CHECK(track.miss < 0.05);
}

TEST_CASE("a zoom through several mip levels is continuous") {
  // Fine texture: a switch of filter or mip level would show as a step in contrast. It ends before the
  // wavelength approaches two pixels, where contrast depends on the phase.
  const auto image = paintPlanes(1024, 1024, [](int p, int x, int y) {
    return p == 0 ? 128 + static_cast<int>(60 * std::sin(x * 0.5) * std::sin(y * 0.45)) : 128;
  });
  Composing composing;
  const int index = composing.addVideo(image);
  double before = -1, largest = 0;
  for (int n = 0; n < 290; ++n) {
    const double size = 1024 * std::exp2(-n / 130.0);
    const auto frame =
        composing.compose(200, 200, {imageLayer(index, {100 - size / 2, 100 - size / 2, size, size})});
    double sum = 0, squares = 0;
    for (int y = 75; y < 125; ++y) {
      for (int x = 75; x < 125; ++x) {
        const double v = sampleAt(*frame, 0, x, y);
        sum += v;
        squares += v * v;
      }
    }
    const double contrast = std::sqrt(std::max(0.0, squares / 2500 - sum * sum / 2500 / 2500));
    if (before >= 0) largest = std::max(largest, std::abs(contrast - before));
    before = contrast;
  }
  MESSAGE("largest change of contrast between neighbouring sizes: ", largest, " of ~30");
  CHECK(largest < 1.0);
}

TEST_CASE("a still is scaled to its drawn size without a shift") {
  for (const double drawn : {1920.0, 700.0, 233.0}) {
    const auto image = spotImage(3000, 1688, 1700.5, 900.5, 3000 / drawn * 4);
    Composing composing;
    const double scale = drawn / 3000;
    const int index = composing.add(*image, drawn, 1688 * scale);
    const auto frame = composing.compose(1920, 1080, {imageLayer(index, {0, 0, drawn, 1688 * scale})});
    const Point expected{1700.5 * scale, 900.5 * scale};
    const Point found = centroid(*frame, expected, 18);
    CHECK(std::hypot(found.x - expected.x, found.y - expected.y) < 0.1);
  }
}
