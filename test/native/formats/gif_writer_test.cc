#include "formats/gif/gif_writer.h"

#include <cstdlib>
#include <filesystem>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"

using namespace framewright;

namespace {

std::shared_ptr<Image> filledImage(int width, int height, const Color& color) {
  auto image = Image::create(PixelFormat::kRgbaStraight, width, height).take();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      uint8_t* pixel = image->plane(0).data + y * image->plane(0).stride + 4 * x;
      pixel[0] = color.r, pixel[1] = color.g, pixel[2] = color.b, pixel[3] = color.a;
    }
  }
  return image;
}

void fillRect(Image& image, int left, int top, int side, const Color& color) {
  for (int y = top; y < top + side; ++y) {
    for (int x = left; x < left + side; ++x) {
      uint8_t* pixel = image.plane(0).data + y * image.plane(0).stride + 4 * x;
      pixel[0] = color.r, pixel[1] = color.g, pixel[2] = color.b, pixel[3] = color.a;
    }
  }
}

// Writes the images at 10 frames per second.
std::string writtenGif(const std::string& name, const std::vector<std::shared_ptr<Image>>& images,
                       bool hasAlpha) {
  gif::PaletteBuilder builder;
  for (const auto& image : images) builder.add(*image);
  const std::string path = fixture::path(name);
  auto writer =
      gif::GifWriter::create(path, images[0]->width(), images[0]->height(), builder.build(255), hasAlpha);
  REQUIRE(writer.ok());
  double end = 0;
  for (const auto& image : images) REQUIRE(writer.value()->add(*image, end += 0.1).ok());
  REQUIRE(writer.value()->finish().ok());
  return path;
}

// MD5 of the frames as ffmpeg decodes them.
std::string decodedGif(const std::string& path) {
  return fixture::outputOf("ffmpeg -v error -nostdin -i '" + path +
                           "' -r 10 -pix_fmt rgba -f framemd5 - | grep -v '^#' | cut -d, -f6 | tr -d ' '");
}

}  // namespace

TEST_CASE("gif: few colors are exact, and equal frames share one delay") {
  auto first = filledImage(60, 40, {10, 200, 30, 255});
  fillRect(*first, 5, 5, 10, {250, 0, 0, 255});
  auto second = filledImage(60, 40, {10, 200, 30, 255});
  fillRect(*second, 30, 20, 10, {250, 0, 0, 255});
  const std::string path = writtenGif("moved.gif", {first, first, first, second}, false);
  CHECK(fixture::outputOf("ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 '" +
                          path + "'") == "2");
  CHECK(fixture::outputOf("ffprobe -v error -show_entries packet=duration_time -of csv=p=0 '" + path +
                          "' | head -1")
            .substr(0, 3) == "0.3");
  const std::string pixels =
      fixture::outputOf("ffmpeg -v error -nostdin -i '" + path + "' -frames:v 1 -pix_fmt rgba -f md5 -");
  const std::string raw = fixture::path("moved.rgba");
  std::vector<uint8_t> bytes;
  for (int y = 0; y < 40; ++y) {
    const uint8_t* row = first->plane(0).data + y * first->plane(0).stride;
    bytes.insert(bytes.end(), row, row + 60 * 4);
  }
  fixture::writeFile(raw, bytes);
  CHECK(fixture::outputOf("md5sum < '" + raw + "'").substr(0, 32) == pixels.substr(4));
}

TEST_CASE("gif: what becomes transparent is cleared") {
  auto first = filledImage(30, 20, {0, 0, 0, 0});
  fillRect(*first, 2, 2, 8, {250, 0, 0, 255});
  auto second = filledImage(30, 20, {0, 0, 0, 0});
  fillRect(*second, 15, 8, 8, {250, 0, 0, 255});
  const std::string path = writtenGif("cleared.gif", {first, second}, true);
  // The red square of 64 pixels is the only opaque part of both frames.
  const std::string alpha =
      fixture::outputOf("ffmpeg -v error -nostdin -i '" + path +
                        "' -vsync passthrough -pix_fmt gray -vf format=rgba,alphaextract -f rawvideo - | od "
                        "-v -An -tu1 -w600 | "
                        "awk '{n=0; for(i=1;i<=NF;i++) n+=$i>127; print n}' | tr '\\n' ' '");
  CHECK(alpha == "64 64 ");
}

TEST_CASE("gif: a frame shorter than two hundredths of a second gives way to its successor") {
  gif::PaletteBuilder builder;
  const auto black = filledImage(8, 8, {0, 0, 0, 255}), white = filledImage(8, 8, {255, 255, 255, 255});
  builder.add(*black), builder.add(*white);
  const std::string path = fixture::path("short.gif");
  auto writer = gif::GifWriter::create(path, 8, 8, builder.build(255), false).take();
  for (int k = 1; k <= 12; ++k) REQUIRE(writer->add(k % 2 == 0 ? *black : *white, k / 100.0).ok());
  REQUIRE(writer->finish().ok());
  CHECK(fixture::outputOf("ffprobe -v error -show_entries format=duration -of csv=p=0 '" + path + "'")
            .substr(0, 4) == "0.12");
}

TEST_CASE("gif: noise with every LZW code width decodes") {
  std::srand(7);
  std::vector<std::shared_ptr<Image>> images;
  for (int k = 0; k < 3; ++k) {
    auto image = filledImage(120, 90, {0, 0, 0, 255});
    for (int y = 0; y < 90; ++y) {
      for (int x = 0; x < 120; ++x)
        fillRect(*image, x, y, 1,
                 {static_cast<uint8_t>(std::rand() % 6 * 51), static_cast<uint8_t>(std::rand() % 6 * 51),
                  static_cast<uint8_t>(std::rand() % 6 * 51), 255});
    }
    images.push_back(image);
  }
  const std::string path = writtenGif("noise.gif", images, false);
  const std::string frames = decodedGif(path);
  CHECK(std::count(frames.begin(), frames.end(), '\n') == 2);
}
