#include <cmath>

#include <doctest/doctest.h>

#include "media/image_header.h"
#include "media/log_capture.h"
#include "media/media_fixture.h"
#include "media/still_decoder.h"

using namespace framewright;
using fixture::media;

namespace {

using Bytes = std::vector<uint8_t>;

struct Field {
  uint16_t tag, type;  // 3: two bytes, 4: four
  std::vector<uint32_t> values;
};

void put(Bytes& bytes, uint32_t value, int count, bool big = false) {
  for (int i = 0; i < count; ++i)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * (big ? count - 1 - i : i))));
}

// Of one strip, its directory behind it.
std::string tiff(const std::string& name, std::vector<Field> fields, const Bytes& pixels, bool big = false) {
  const uint32_t start = 8, size = static_cast<uint32_t>(pixels.size());
  fields.push_back({273, 4, {start}});
  fields.push_back({279, 4, {size}});
  const uint32_t directory = start + size + (size & 1);
  Bytes file = big ? Bytes{'M', 'M', 0, 42} : Bytes{'I', 'I', 42, 0}, behind;
  put(file, directory, 4, big);
  file.insert(file.end(), pixels.begin(), pixels.end());
  file.resize(directory);
  put(file, static_cast<uint32_t>(fields.size()), 2, big);
  for (const Field& field : fields) {
    const int width = field.type == 3 ? 2 : 4;
    Bytes values;
    for (const uint32_t value : field.values) put(values, value, width, big);
    put(file, field.tag, 2, big);
    put(file, field.type, 2, big);
    put(file, static_cast<uint32_t>(field.values.size()), 4, big);
    if (values.size() > 4) {
      put(file,
          directory + 2 + static_cast<uint32_t>(fields.size()) * 12 + 4 +
              static_cast<uint32_t>(behind.size()),
          4, big);
      behind.insert(behind.end(), values.begin(), values.end());
    } else {
      values.resize(4);
      file.insert(file.end(), values.begin(), values.end());
    }
  }
  put(file, 0, 4);
  file.insert(file.end(), behind.begin(), behind.end());
  fixture::writeFile(fixture::path(name), file);
  return fixture::path(name);
}

// Two by two: red, green / blue, white.
const Bytes kQuarters{255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};

std::vector<Field> rgbFields(std::vector<Field> more = {}) {
  std::vector<Field> fields{{256, 3, {2}}, {257, 3, {2}}, {258, 3, {8, 8, 8}}, {259, 3, {1}},
                            {262, 3, {2}}, {277, 3, {3}}, {278, 3, {2}}};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

ImagePtr decoded(const std::string& path) {
  auto image = decodeStill(path);
  if (!image.ok()) FAIL(image.error().message << " " << image.error().detail);
  return image.take();
}

Error refusal(const std::string& path) {
  silenceLog();
  const auto image = decodeStill(path);
  REQUIRE(!image.ok());
  return image.error();
}

std::string quarters(const Image& image) {
  std::string seen;
  for (int i = 0; i < 4; ++i) {
    const auto pixel = fixture::pixelAt(image, i % 2, i / 2);
    seen += pixel.r > 200 && pixel.g > 200 ? 'W' : pixel.r > 200 ? 'R' : pixel.g > 200 ? 'G' : 'B';
  }
  return seen;
}

// The largest difference to what the ffmpeg program makes of the file.
int distanceToFfmpeg(const std::string& path) {
  const ImagePtr image = decoded(path);
  REQUIRE(image->format() == PixelFormat::kRgbaStraight);
  const std::string raw = path + ".rgba";
  fixture::outputOf("ffmpeg -y -nostdin -v error -i '" + path + "' -f rawvideo -pix_fmt rgba '" + raw + "'");
  const Bytes wanted = fixture::readFile(raw);
  REQUIRE(wanted.size() == static_cast<size_t>(image->width()) * static_cast<size_t>(image->height()) * 4);
  int most = 0;
  size_t at = 0;
  for (int y = 0; y < image->height(); ++y) {
    const uint8_t* row = image->plane(0).data + y * image->plane(0).stride;
    for (int x = 0; x < image->width() * 4; ++x, ++at) most = std::max(most, std::abs(row[x] - wanted[at]));
  }
  return most;
}

}  // namespace

TEST_CASE("BMP and TIFF of every depth and packing look as ffmpeg decodes them") {
  const std::string source = "-f lavfi -i testsrc2=s=37x23:d=0.04 -frames:v 1 ";
  const std::string palette = "-vf \"split[a][b];[a]palettegen[p];[b][p]paletteuse\"";
  struct Case {
    std::string name, options;
  };
  for (const Case& one : {Case{"b24.bmp", "-pix_fmt bgr24"}, Case{"b32.bmp", "-pix_fmt bgra"},
                          Case{"b565.bmp", "-pix_fmt rgb565le"}, Case{"b8.bmp", "-pix_fmt gray"},
                          Case{"b1.bmp", "-pix_fmt monob"}, Case{"bp.bmp", palette},
                          Case{"t24.tiff", "-pix_fmt rgb24 -compression_algo raw"},
                          Case{"tlzw.tiff", "-pix_fmt rgb24 -compression_algo lzw"},
                          Case{"tdeflate.tiff", "-pix_fmt rgba -compression_algo deflate"},
                          Case{"tpack.tiff", "-pix_fmt gray -compression_algo packbits"},
                          Case{"t48.tiff", "-pix_fmt rgb48le"}, Case{"t1.tiff", "-pix_fmt monob"},
                          Case{"tp.tiff", palette + " -pix_fmt pal8"}, Case{"tya.tiff", "-pix_fmt ya8"}}) {
    CAPTURE(one.name);
    CHECK(distanceToFfmpeg(media(one.name, source + one.options)) <= (one.name == "t48.tiff" ? 1 : 0));
  }
  CHECK(decoded(media("half.tiff", "-f lavfi -i color=0xFF8000@0.5:s=16x16,format=rgba -frames:v 1"))
            ->format() == PixelFormat::kRgbaStraight);
  CHECK(std::abs(fixture::pixelAt(*decoded(fixture::path("half.tiff")), 4, 4).a - 128) <= 1);
}

TEST_CASE("grey of sixteen bits keeps its values") {
  for (const std::string name : {"g16.tiff", "g16.png"}) {
    CAPTURE(name);
    for (const int value : {0, 40, 128, 200, 255}) {
      char color[16];
      std::snprintf(color, sizeof(color), "0x%02x%02x%02x", value, value, value);
      const ImagePtr image = decoded(media(
          std::to_string(value) + name,
          std::string("-f lavfi -i color=") + color + ":s=16x16,format=rgb48,format=gray16le -frames:v 1"));
      // The grey is made from RGB, and not to the last digit.
      CHECK(std::abs(fixture::pixelAt(*image, 8, 8).r - value) <= 2);
    }
  }
}

TEST_CASE("a TIFF is read in both byte orders and turned as it says") {
  const char* expected[] = {"", "RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB"};
  for (uint32_t orientation = 1; orientation <= 8; ++orientation) {
    for (const bool big : {false, true}) {
      CAPTURE(orientation);
      CAPTURE(big);
      // Between the others there is much that decoders know nothing of.
      const auto fields =
          rgbFields({{274, 3, {orientation}}, {700, 3, {1, 2, 3}}, {34675, 4, {7}}, {65000, 3, {9}}});
      CHECK(quarters(*decoded(tiff("turned.tiff", fields, kQuarters, big))) == expected[orientation]);
    }
  }
}

TEST_CASE("a TIFF's alpha is taken out of its colours where they were multiplied by it") {
  std::vector<Field> fields = rgbFields();
  fields[2].values = {8, 8, 8, 8};
  fields[5].values = {4};
  const Bytes pixels{100, 50, 0, 128, 100, 50, 0, 128, 0, 0, 0, 0, 9, 9, 9, 255};
  for (const auto& [kind, red, green] : {std::tuple{1u, 199, 100}, {2u, 100, 50}}) {
    CAPTURE(kind);
    auto with = fields;
    with.push_back({338, 3, {kind}});
    const ImagePtr image = decoded(tiff("alpha.tiff", with, pixels));
    const auto pixel = fixture::pixelAt(*image, 1, 0);
    CHECK(pixel.r == red);
    CHECK(pixel.g == green);
    CHECK(pixel.a == 128);
    CHECK(fixture::pixelAt(*image, 0, 1).a == 0);
  }
}

TEST_CASE("a TIFF for print is shown in the colours that its inks come to") {
  std::vector<Field> fields = rgbFields();
  fields[2].values = {8, 8, 8, 8};
  fields[4].values = {5};
  fields[5].values = {4};
  const Bytes inks{0, 255, 255, 0, 255, 0, 255, 0, 255, 255, 0, 0, 0, 0, 0, 0};
  CHECK(quarters(*decoded(tiff("inks.tiff", fields, inks))) == "RGBW");
}

TEST_CASE("kinds of BMP and TIFF that are not decoded are refused by name") {
  const auto with = [](size_t index, uint32_t value) {
    auto fields = rgbFields();
    fields[index].values = {value};
    return tiff("kind.tiff", fields, kQuarters);
  };
  const auto says = [](const std::string& path, const std::string& text) {
    const Error error = refusal(path);
    CAPTURE(error.message);
    CHECK(error.code == ErrorCode::MEDIA_UNSUPPORTED);
    CHECK(error.message.find(text) != std::string::npos);
  };
  says(with(3, 7), "a tiff packed by JPEG is not supported");
  says(with(3, 50000), "a tiff packed by Zstandard is not supported");
  says(with(3, 12345), "packed by method 12345");
  says(with(4, 6), "a tiff in YCbCr");
  says(with(4, 32803), "a camera's raw samples");
  says(with(2, 32), "of 32 bits a colour");
  says(tiff("tiles.tiff", rgbFields({{322, 3, {16}}, {323, 3, {16}}}), kQuarters), "cut into tiles");
  says(tiff("dng.tiff", rgbFields({{50706, 3, {1, 4, 0, 0}}}), kQuarters), "a camera's raw samples");
  says(tiff("real.tiff", rgbFields({{339, 3, {3, 3, 3}}}), kQuarters), "other samples than unsigned numbers");
  says(with(0, 20000), "50 megapixels");
  auto large = rgbFields();
  large[0] = {256, 4, {0x7fffffff}};
  large[1] = {257, 4, {0x7fffffff}};
  says(tiff("large.tiff", large, kQuarters), "50 megapixels");

  Bytes bmp =
      fixture::readFile(media("plain.bmp", "-f lavfi -i testsrc2=s=16x16 -frames:v 1 -pix_fmt bgr24"));
  const auto changed = [&bmp](size_t at, uint32_t value) {
    Bytes bytes = bmp;
    for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<uint8_t>(value >> (8 * i));
    fixture::writeFile(fixture::path("changed.bmp"), bytes);
    return fixture::path("changed.bmp");
  };
  says(changed(30, 4), "a bmp with packing 4 is not supported");
  says(changed(28, 64), "a bmp of 64 bits a pixel is not supported");
  says(changed(18, 1'000'000'000), "50 megapixels");
  CHECK(refusal(changed(22, 0x80000000u)).code == ErrorCode::MEDIA_UNREADABLE);
  CHECK(refusal(changed(14, 17)).code == ErrorCode::MEDIA_UNREADABLE);
  // From the top down: the same picture turned over, and no error.
  CHECK(decoded(changed(22, static_cast<uint32_t>(-16)))->height() == 16);
  CHECK(refusal(changed(10, 4000)).code == ErrorCode::DECODE_FAILED);
}

TEST_CASE("a second field of one kind in a TIFF does not lead the decoder elsewhere") {
  // Another size, and a further directory of another picture.
  const auto image =
      decodeStill(tiff("twice.tiff", rgbFields({{256, 4, {40000}}, {257, 4, {40000}}}), kQuarters));
  REQUIRE(image.ok());
  CHECK(image.value()->width() == 2);
}
