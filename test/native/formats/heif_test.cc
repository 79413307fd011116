#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "formats/avif_builder.h"
#include "formats/image_header.h"
#include "libav/decode/still_decoder.h"

// Images of phones: HEIC, grids of tiles and clean apertures.
using namespace framewright;

namespace {

// A coded image and the decoder's configuration, if the codec needs one.
struct Coded {
  Bytes data, configuration;
};

// A part of the test image. MP4 stores frames as HEIF does.
Coded coded(const std::string& name, bool isHevc, int x, int y, int width = 64, int height = 64) {
  const std::string part = "crop=" + std::to_string(width) + ":" + std::to_string(height) + ":" +
                           std::to_string(x) + ":" + std::to_string(y);
  const std::string codec = isHevc ? "-c:v libx265 -crf 4 -x265-params log-level=none -tag:v hvc1"
                                   : "-c:v libaom-av1 -crf 4 -cpu-used 8 -still-picture 1";
  const Bytes file = fixture::readFile(
      media(name, "-f lavfi -i \"testsrc2=s=192x128:r=1,format=yuv420p," + part +
                      "\" -frames:v 1 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range "
                      "tv " +
                      codec));
  const auto bodyOf = [&](const char* type) {
    const auto found = std::search(file.begin(), file.end(), type, type + 4);
    REQUIRE(found - file.begin() >= 4);
    const auto at = found - 4;
    const auto size = at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
    return Bytes(found + 4, at + size);
  };
  return {bodyOf("mdat"), isHevc ? bodyOf("hvcC") : Bytes()};
}

// A grid of 64x64 tiles, or one tile without a grid when there is only one.
std::string heif(const std::string& name, bool isHevc, const std::vector<Coded>& tiles, int columns,
                 int width, int height, const std::vector<Bytes>& more = {}) {
  const auto count = static_cast<uint32_t>(tiles.size());
  const bool isGrid = count > 1;
  const std::string brand = isHevc ? "heic" : "avif", type = isHevc ? "hvc1" : "av01";
  const Bytes zero = big(0, 4);
  const auto side = [](int value, int bytes) { return big(static_cast<uint32_t>(value), bytes); };
  const Bytes grid = joined({Bytes{0, 0, static_cast<uint8_t>(static_cast<int>(count) / columns - 1),
                                   static_cast<uint8_t>(columns - 1)},
                             side(width, 2), side(height, 2)});
  const auto made = [&](uint32_t dataAt) {
    std::vector<Bytes> places, kinds, uses, references{big(1, 2), big(count, 2)};
    const auto add = [&](uint32_t id, const std::string& kind, size_t length, const Bytes& used) {
      places.push_back(
          joined({big(id, 2), big(0, 2), big(1, 2), big(dataAt, 4), big(static_cast<uint32_t>(length), 4)}));
      kinds.push_back(box("infe", {big(2u << 24, 4), big(id, 2), big(0, 2), text(kind), Bytes{0}}));
      uses.push_back(joined({big(id, 2), Bytes{static_cast<uint8_t>(used.size())}, used}));
      dataAt += static_cast<uint32_t>(length);
    };
    std::vector<Bytes> properties{box("ispe", {zero, side(width, 4), side(height, 4)}),
                                  box("ispe", {zero, big(64, 4), big(64, 4)}),
                                  box("hvcC", {tiles.front().configuration})};
    Bytes used{1};
    if (!isGrid) used.push_back(3);
    for (const Bytes& property : more) {
      properties.push_back(property);
      used.push_back(static_cast<uint8_t>(properties.size()));
    }
    if (isGrid) add(1, "grid", grid.size(), used);
    for (uint32_t i = 0; i < count; ++i) {
      add(isGrid ? i + 2 : 1, type, tiles[i].data.size(), isGrid ? Bytes{2, 3} : used);
      references.push_back(big(i + 2, 2));
    }
    const auto items = static_cast<uint32_t>(places.size());
    return joined(
        {box("ftyp", {text(brand), zero, text("mif1"), text(brand)}),
         box("meta",
             {zero, box("hdlr", {zero, zero, text("pict"), Bytes(13)}), box("pitm", {zero, big(1, 2)}),
              box("iloc", {zero, big(0x4400, 2), big(items, 2), joined(places)}),
              box("iinf", {zero, big(items, 2), joined(kinds)}),
              box("iref", {zero, isGrid ? box("dimg", references) : Bytes()}),
              box("iprp", {box("ipco", properties), box("ipma", {zero, big(items, 4), joined(uses)})})})});
  };
  std::vector<Bytes> data;
  if (isGrid) data.push_back(grid);
  for (const Coded& tile : tiles) data.push_back(tile.data);
  const auto dataAt = static_cast<uint32_t>(made(0).size() + 8);
  fixture::writeFile(fixture::path(name), joined({made(dataAt), box("mdat", data)}));
  return fixture::path(name);
}

// Mean distance of the colors of an image from the test image, of which it shows the part at (x, y).
double distance(const Image& image, int x, int y) {
  static const ImagePtr source =
      decodeStill(media("heif-source.png",
                        "-f lavfi -i testsrc2=s=192x128:r=1,format=yuv420p -frames:v 1 "
                        "-vf scale=in_color_matrix=bt709:in_range=tv,format=rgb24"))
          .take();
  double sum = 0;
  for (int row = 0; row < image.height(); ++row) {
    for (int column = 0; column < image.width(); ++column) {
      const auto here = fixture::pixelAt(image, column, row),
                 there = fixture::pixelAt(*source, column + x, row + y);
      sum += std::abs(here.r - there.r) + std::abs(here.g - there.g) + std::abs(here.b - there.b);
    }
  }
  return sum / (3.0 * image.width() * image.height());
}

std::vector<Coded> tilesOf(bool isHevc) {
  std::vector<Coded> tiles;
  const std::string name = isHevc ? "hevc" : "av1";
  for (int i = 0; i < 6; ++i)
    tiles.push_back(coded("tile-" + name + std::to_string(i) + ".mp4", isHevc, i % 3 * 64, i / 3 * 64));
  return tiles;
}

}  // namespace

TEST_CASE("HEIC and AVIF: an image of one tile and a grid are decoded like the image") {
  for (const bool isHevc : {true, false}) {
    CAPTURE(isHevc);
    const std::vector<Coded> tiles = tilesOf(isHevc);
    const std::string name = isHevc ? "a.heic" : "a.avif";
    const auto one = decodeStill(heif("one-" + name, isHevc, {tiles[4]}, 1, 64, 64));
    if (!one.ok()) FAIL(one.error().message);
    CHECK(distance(*one.value(), 64, 64) < 4);
    const auto grid = decodeStill(heif("grid-" + name, isHevc, tiles, 3, 180, 100));
    if (!grid.ok()) FAIL(grid.error().message);
    CHECK(grid.value()->width() == 180);
    CHECK(grid.value()->height() == 100);
    CHECK(distance(*grid.value(), 0, 0) < 4);
  }
}

TEST_CASE("HEIC and AVIF: the clean aperture is shown, and rotated") {
  for (const bool isHevc : {true, false}) {
    CAPTURE(isHevc);
    const std::vector<Coded> tiles = tilesOf(isHevc);
    const std::string name = isHevc ? "c.heic" : "c.avif";
    const auto number = [](int value) { return joined({big(static_cast<uint32_t>(value), 4), big(1, 4)}); };
    const auto aperture = [&](int width, int height, int right, int down) {
      return box("clap", {number(width), number(height), number(right), number(down)});
    };
    const ImagePtr shown =
        decodeStill(heif("crop-" + name, isHevc, tiles, 3, 192, 128, {aperture(60, 40, -20, 10)})).take();
    CHECK(shown->width() == 60);
    CHECK(shown->height() == 40);
    CHECK(distance(*shown, 46, 54) < 4);
    const ImagePtr rotated = decodeStill(heif("rotated-" + name, isHevc, tiles, 3, 192, 128,
                                              {aperture(60, 40, -20, 10), box("irot", {Bytes{1}})}))
                                 .take();
    CHECK(rotated->width() == 40);
    // One that leaves the image is ignored.
    CHECK(decodeStill(heif("wide-" + name, isHevc, tiles, 3, 192, 128, {aperture(60, 40, 100, 0)}))
              .take()
              ->width() == 192);
  }
}

TEST_CASE("HEIC and AVIF: damaged grids and other codecs are rejected") {
  const std::vector<Coded> tiles = tilesOf(true);
  const auto refusal = [](const std::string& path) { return decodeStill(path).error(); };
  CHECK(refusal(heif("size.heic", true, tiles, 3, 500, 100)).code == ErrorCode::MEDIA_UNREADABLE);
  CHECK(refusal(heif("cut.heic", true, {tiles[0], tiles[1], {}, tiles[3]}, 2, 128, 128)).code ==
        ErrorCode::DECODE_FAILED);
  const std::vector<Coded> mixed{tilesOf(false)[0], coded("small.mp4", false, 0, 0, 32, 32)};
  CHECK(refusal(heif("mixed.avif", false, mixed, 2, 128, 64)).code == ErrorCode::MEDIA_UNREADABLE);
  Bytes bytes = fixture::readFile(heif("av1.heic", true, tiles, 3, 192, 128));
  const std::string hevc = "hvc1", av1 = "av01";
  for (auto at = bytes.begin(); (at = std::search(at, bytes.end(), hevc.begin(), hevc.end())) != bytes.end();)
    std::copy(av1.begin(), av1.end(), at);
  fixture::writeFile(fixture::path("av1.heic"), bytes);
  CHECK(refusal(fixture::path("av1.heic")).message == "a heic with another codec than HEVC is not supported");
}
