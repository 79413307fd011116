#include <array>
#include <cstring>
#include <string>

#include <unistd.h>

#include "compositor/compose_testing.h"
#include "libav/media_fixture.h"

// Files of prepared stills (compositor/cpu/still_file.h): a file draws the same as the still, and incomplete
// files are rejected.
namespace framewright {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr double kDrawn = 19.5;

std::string newFile() {
  const std::string path = fixture::path("prepared.still");
  ::unlink(path.c_str());
  return path;
}

std::shared_ptr<Image> painted(int width, int height, bool opaque) {
  return paintRgba(width, height, [opaque](int x, int y) {
    return Color{static_cast<uint8_t>(x * 9), static_cast<uint8_t>(y * 11), static_cast<uint8_t>(x * y),
                 static_cast<uint8_t>(opaque ? 255 : 40 + x * 3)};
  });
}

Bytes fileOf(Composing& composing, const Image& image) {
  const int still = composing.add(image, kDrawn, kDrawn);
  const std::string path = newFile();
  REQUIRE(
      composing.compositor->writeStill(*composing.images[static_cast<size_t>(still)], kDrawn, kDrawn, path)
          .ok());
  return fixture::readFile(path);
}

Result<PreparedImagePtr> read(Composing& composing, const Bytes& bytes) {
  const std::string path = newFile();
  fixture::writeFile(path, bytes);
  return composing.compositor->readStill(path, kDrawn, kDrawn);
}

// Unscaled, rotated and much smaller: covers all reads of the planes, also beyond their ends.
std::vector<std::shared_ptr<Image>> drawnEveryWay(Composing& composing, int image) {
  Layer rotated = imageLayer(image, {0, 0, 24, 24});
  rotated.toCanvas = {13, -9, 12, 9, 13, 2};
  Layer blurred = imageLayer(image, {2, 1, 30, 22}, 0.7);
  blurred.effects = LayerEffects{.blur = 2, .box = blurred.toCanvas, .boxWidth = 30, .boxHeight = 22};
  std::vector<std::shared_ptr<Image>> frames;
  for (const Layer& layer :
       {imageLayer(image, {1.25, 2.5, 40, 29}), imageLayer(image, {3, 3, 3, 2}), rotated, blurred}) {
    frames.push_back(composing.compose(48, 32, {fillLayer({200, 90, 10, 255}, {0, 0, 48, 32}), layer}));
  }
  return frames;
}

}  // namespace

TEST_CASE("still files: a written and read still draws the same") {
  for (const bool opaque : {true, false}) {
    for (const auto& [width, height] : {std::pair{40, 30}, {19, 13}, {64, 64}, {1, 1}, {128, 3}}) {
      CAPTURE(opaque);
      CAPTURE(width);
      Composing composing;
      const Bytes file = fileOf(composing, *painted(width, height, opaque));
      auto stored = read(composing, file);
      REQUIRE(stored.ok());
      composing.images.push_back(stored.take());
      const auto before = drawnEveryWay(composing, 0), after = drawnEveryWay(composing, 1);
      for (size_t i = 0; i < before.size(); ++i) CHECK(largestDifference(*before[i], *after[i]) == 0);
    }
  }
}

TEST_CASE("still files: files of wrong length or for other sizes are rejected") {
  for (const bool opaque : {true, false}) {
    Composing composing;
    const Bytes file = fileOf(composing, *painted(21, 15, opaque));
    for (size_t length = 0; length < file.size(); length += length < 48 ? 1 : 37) {
      CHECK_FALSE(read(composing, Bytes(file.begin(), file.begin() + static_cast<ptrdiff_t>(length))).ok());
    }
    Bytes longer = file;
    longer.push_back(0);
    CHECK_FALSE(read(composing, longer).ok());
    CHECK(read(composing, file).ok());
    const std::string path = fixture::path("prepared.still");
    CHECK_FALSE(composing.compositor->readStill(path, kDrawn + 1e-9, kDrawn).ok());
    CHECK_FALSE(composing.compositor->readStill(path, kDrawn, 0).ok());
    CHECK_FALSE(composing.compositor->readStill(fixture::path("no.still"), kDrawn, kDrawn).ok());
  }
}

TEST_CASE("still files: every changed header bit is detected, and impossible sizes allocate no memory") {
  Composing composing;
  const Bytes file = fileOf(composing, *painted(21, 15, false));
  for (size_t at = 0; at < 40; ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes changed = file;
      changed[at] ^= static_cast<uint8_t>(1 << bit);
      CAPTURE(at);
      CHECK_FALSE(read(composing, changed).ok());
    }
  }
  for (const uint32_t size : {0u, 16385u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    for (const size_t at : {8u, 12u}) {
      Bytes changed = file;
      std::memcpy(&changed[at], &size, sizeof size);
      CHECK_FALSE(read(composing, changed).ok());
    }
  }
}

TEST_CASE("still files: any sample values can be drawn") {
  Composing composing;
  const Bytes file = fileOf(composing, *painted(21, 15, false));
  uint32_t state = 7;
  for (int k = 0; k < 40; ++k) {
    Bytes changed = file;
    for (size_t at = 40; at < changed.size(); ++at) {
      state = state * 1664525 + 1013904223;
      // Also extreme values: colour without alpha, and colour above alpha.
      changed[at] = k == 0 ? 255 : k == 1 ? 0 : static_cast<uint8_t>(state >> 24);
    }
    auto stored = read(composing, changed);
    REQUIRE(stored.ok());
    composing.images = {stored.take()};
    CHECK(drawnEveryWay(composing, 0).size() == 4);
  }
}

TEST_CASE("still files: existing files are not overwritten, and video frames are not stored") {
  Composing composing;
  const Bytes file = fileOf(composing, *painted(21, 15, true));
  const std::string path = fixture::path("prepared.still");
  CHECK_FALSE(composing.compositor->writeStill(*composing.images[0], 1, 1, path).ok());
  CHECK(fixture::readFile(path) == file);
  auto photo = paintPlanes(16, 16, [](int, int x, int y) { return 30 + x + y; });
  photo->siting = ChromaSiting::kCenter;
  const int video = composing.addVideo(photo);
  CHECK_FALSE(
      composing.compositor->writeStill(*composing.images[static_cast<size_t>(video)], 1, 1, newFile()).ok());
}

}  // namespace framewright
