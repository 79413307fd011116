#include "formats/png_file.h"

#include <cstring>
#include <random>

#include <doctest/doctest.h>
#include <unistd.h>

#include "libav/decode/still_decoder.h"
#include "libav/media_fixture.h"

using namespace framewright;

namespace {

std::shared_ptr<Image> opaque(int width, int height) {
  auto image = Image::create(PixelFormat::kRgbaStraight, width, height);
  REQUIRE(image.ok());
  const std::shared_ptr<Image> made = image.take();
  for (int y = 0; y < height; ++y)
    std::memset(made->plane(0).data + y * made->plane(0).stride, 255, width * 4);
  return made;
}

std::string newFile(const std::string& name) {
  const std::string path = fixture::path(name);
  unlink(path.c_str());
  return path;
}

void checkComesBack(const Image& image, const std::string& name) {
  const std::string path = newFile(name);
  REQUIRE(writePng(image, path).ok());
  auto read = decodeStill(path);
  REQUIRE(read.ok());
  const ImagePtr back = read.take();
  REQUIRE(back->format() == PixelFormat::kRgbaStraight);
  REQUIRE(back->width() == image.width());
  REQUIRE(back->height() == image.height());
  int different = 0;
  for (int y = 0; y < image.height(); ++y) {
    different += std::memcmp(image.plane(0).data + y * image.plane(0).stride,
                             back->plane(0).data + y * back->plane(0).stride, image.width() * 4) != 0;
  }
  CHECK(different == 0);
}

}  // namespace

TEST_CASE("png file: every pixel survives a round trip at any size") {
  std::mt19937 random(7);
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 31}, {640, 32}, {641, 33}, {2, 97}, {1921, 200}}) {
    const auto image = opaque(width, height);
    for (int y = 0; y < height; ++y) {
      uint8_t* row = image->plane(0).data + y * image->plane(0).stride;
      // Noise, gradients and flat areas exercise all row filters.
      for (int x = 0; x < width; ++x)
        for (int c = 0; c < 3; ++c)
          row[x * 4 + c] = static_cast<uint8_t>(y % 3 == 0   ? random()
                                                : y % 3 == 1 ? x * (c + 1) + y
                                                             : 40 * c);
    }
    checkComesBack(*image, "png-" + std::to_string(width) + "x" + std::to_string(height) + ".png");
  }
}

TEST_CASE("png file: flat images are small, and existing files are not overwritten") {
  const auto image = opaque(1920, 1080);
  const std::string path = newFile("png-flat.png");
  REQUIRE(writePng(*image, path).ok());
  CHECK(fixture::readFile(path).size() < 60'000);
  CHECK_FALSE(writePng(*image, path).ok());
}
