#include <cmath>

#include <doctest/doctest.h>

#include "formats/avif_builder.h"
#include "formats/image_header.h"
#include "libav/decode/still_decoder.h"
#include "libav/log_capture.h"
#include "libav/media_fixture.h"

using namespace framewright;

namespace {

struct Field {
  uint16_t tag, type;  // 3: uint16, 4: uint32
  std::vector<uint32_t> values;
};

void put(Bytes& bytes, uint32_t value, int count, bool big = false) {
  for (int i = 0; i < count; ++i)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * (big ? count - 1 - i : i))));
}

// A TIFF with one strip and the directory after it.
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

// 2 x 2 pixels: red, green / blue, white.
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

// Maximum difference to the output of the ffmpeg program.
int distanceToFfmpeg(const std::string& path) {
  const ImagePtr image = decoded(path);
  REQUIRE(image->format() == PixelFormat::kRgbaStraight);
  const std::string raw = path + ".rgba";
  fixture::outputOf("ffmpeg -y -nostdin -v error -i '" + path + "' -f rawvideo -pix_fmt rgba '" + raw + "'");
  const Bytes wanted = fixture::readFile(raw);
  REQUIRE(wanted.size() == static_cast<size_t>(image->width()) * static_cast<size_t>(image->height()) * 4);
  int max = 0;
  size_t at = 0;
  for (int y = 0; y < image->height(); ++y) {
    const uint8_t* row = image->plane(0).data + y * image->plane(0).stride;
    for (int x = 0; x < image->width() * 4; ++x, ++at) max = std::max(max, std::abs(row[x] - wanted[at]));
  }
  return max;
}

}  // namespace

TEST_CASE("BMP and TIFF: every depth and compression decodes as in ffmpeg") {
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

TEST_CASE("16-bit grey keeps its values") {
  for (const std::string name : {"g16.tiff", "g16.png"}) {
    CAPTURE(name);
    for (const int value : {0, 40, 128, 200, 255}) {
      char color[16];
      std::snprintf(color, sizeof(color), "0x%02x%02x%02x", value, value, value);
      const ImagePtr image = decoded(media(
          std::to_string(value) + name,
          std::string("-f lavfi -i color=") + color + ":s=16x16,format=rgb48,format=gray16le -frames:v 1"));
      // The grey is computed from RGB, so it is not exact.
      CHECK(std::abs(fixture::pixelAt(*image, 8, 8).r - value) <= 2);
    }
  }
}

TEST_CASE("TIFF: both byte orders and the orientation are supported") {
  const char* expected[] = {"", "RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB"};
  for (uint32_t orientation = 1; orientation <= 8; ++orientation) {
    for (const bool big : {false, true}) {
      CAPTURE(orientation);
      CAPTURE(big);
      // Includes fields that decoders do not know.
      const auto fields =
          rgbFields({{274, 3, {orientation}}, {700, 3, {1, 2, 3}}, {34675, 4, {7}}, {65000, 3, {9}}});
      CHECK(quarters(*decoded(tiff("turned.tiff", fields, kQuarters, big))) == expected[orientation]);
    }
  }
}

TEST_CASE("TIFF: premultiplied colours are unpremultiplied") {
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

TEST_CASE("TIFF: CMYK is converted to RGB") {
  std::vector<Field> fields = rgbFields();
  fields[2].values = {8, 8, 8, 8};
  fields[4].values = {5};
  fields[5].values = {4};
  const Bytes inks{0, 255, 255, 0, 255, 0, 255, 0, 255, 255, 0, 0, 0, 0, 0, 0};
  CHECK(quarters(*decoded(tiff("inks.tiff", fields, inks))) == "RGBW");
}

TEST_CASE("unsupported BMP and TIFF variants are rejected by name") {
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
  // Top-down: the image is flipped without an error.
  CHECK(decoded(changed(22, static_cast<uint32_t>(-16)))->height() == 16);
  CHECK(refusal(changed(10, 4000)).code == ErrorCode::DECODE_FAILED);
}

TEST_CASE("TIFF: duplicate fields are ignored") {
  // Another size, and a second directory with another image.
  const auto image =
      decodeStill(tiff("twice.tiff", rgbFields({{256, 4, {40000}}, {257, 4, {40000}}}), kQuarters));
  REQUIRE(image.ok());
  CHECK(image.value()->width() == 2);
}

namespace {

// Red, green / blue, white.
Bytes colourQuarters() {
  return av1("quarters.obu",
             "color=white:s=64x48,format=rgb24,geq=r='if(lt(X,W/2),if(lt(Y,H/2),255,0),if(lt(Y,H/2),0,255))':"
             "g='if(lt(X,W/2),0,255)':b='if(lt(Y,H/2),0,255)'",
             "yuv444p");
}

std::string quartersOf(const Image& image) {
  std::string seen;
  for (int i = 0; i < 4; ++i) {
    const auto pixel =
        fixture::pixelAt(image, image.width() * (1 + i % 2 * 2) / 4, image.height() * (1 + i / 2 * 2) / 4);
    seen += pixel.r > 180 && pixel.g > 180 ? 'W' : pixel.r > 180 ? 'R' : pixel.g > 180 ? 'G' : 'B';
  }
  return seen;
}

}  // namespace

TEST_CASE("AVIF: rotation and mirroring are applied") {
  const Bytes colour = colourQuarters();
  const std::vector<std::pair<std::vector<Bytes>, std::string>> cases{
      {{}, "RGBW"},
      {{box("irot", {Bytes{1}})}, "GWRB"},
      {{box("irot", {Bytes{2}})}, "WBGR"},
      {{box("irot", {Bytes{3}})}, "BRWG"},
      {{box("imir", {Bytes{0}})}, "BWRG"},
      {{box("imir", {Bytes{1}})}, "GRWB"},
      {{box("irot", {Bytes{1}}), box("imir", {Bytes{0}})}, "RBGW"},
      {{box("irot", {Bytes{1}}), box("imir", {Bytes{1}})}, "WGBR"},
  };
  for (const auto& [more, wanted] : cases) {
    CAPTURE(wanted);
    const ImagePtr image = decoded(avif("turned.avif", {.colour = colour, .alpha = {}, .more = more}));
    CHECK(quartersOf(*image) == wanted);
  }
  CHECK(decoded(avif("turned.avif", {.colour = colour, .alpha = {}, .more = cases[1].first}))->width() == 48);
}

TEST_CASE("AVIF: the auxiliary image is the alpha") {
  const Bytes colour = av1("orange.obu", "color=0xC86400:s=64x48,format=rgb24", "yuv444p");
  const Bytes alpha = av1("half.obu", "color=0x808080:s=64x48,format=gray", "gray");
  const auto pixel =
      fixture::pixelAt(*decoded(avif("alpha.avif", {.colour = colour, .alpha = alpha})), 30, 20);
  CHECK(std::abs(pixel.r - 0xC8) <= 3);
  CHECK(std::abs(pixel.g - 0x64) <= 3);
  CHECK(std::abs(pixel.a - 0x80) <= 2);
  const Bytes dark = av1("dark.obu", "color=0x643200:s=64x48,format=rgb24", "yuv444p");
  const auto taken = fixture::pixelAt(
      *decoded(avif("prem.avif", {.colour = dark, .alpha = alpha, .premultiplied = true})), 30, 20);
  CHECK(std::abs(taken.r - 0xC8) <= 6);
  CHECK(std::abs(taken.a - 0x80) <= 2);
  const Bytes small = av1("small.obu", "color=0x808080:s=32x32,format=gray", "gray");
  CHECK(refusal(avif("small.avif", {.colour = colour, .alpha = small})).code == ErrorCode::MEDIA_UNREADABLE);
}

TEST_CASE("AVIF: the container's colour information takes precedence over the AV1 data") {
  const Bytes colour = av1("grey.obu", "color=0x808080:s=64x48,format=rgb24", "yuv444p");
  const Bytes limited = box("colr", {text("nclx"), big(1, 2), big(13, 2), big(6, 2), Bytes{0}});
  const ImagePtr whole = decoded(avif("full.avif", {.colour = colour, .alpha = {}}));
  const ImagePtr less = decoded(avif("limited.avif", {.colour = colour, .alpha = {}, .more = {limited}}));
  CHECK(std::abs(fixture::pixelAt(*whole, 30, 20).r - 0x80) <= 3);
  CHECK(std::abs(fixture::pixelAt(*less, 30, 20).r - (0x80 - 16) * 255 / 219) <= 3);
}

TEST_CASE("AVIF: files without a single AV1 image, with wrong tables or truncated are rejected") {
  const Bytes colour = colourQuarters();
  const Error grid = refusal(avif("grid.avif", {.colour = colour, .alpha = {}, .type = "grid"}));
  CHECK(grid.code == ErrorCode::MEDIA_UNREADABLE);
  CHECK(refusal(avif("other.avif", {.colour = colour, .alpha = {}, .type = "hvc1"})).message ==
        "an avif with another codec than AV1 is not supported");
  CHECK(refusal(avif("long.avif", {.colour = colour, .alpha = {}, .beyond = 1})).code ==
        ErrorCode::DECODE_FAILED);
  // The repeated extents exceed the file size.
  CHECK(refusal(avif("again.avif", {.colour = colour, .alpha = {}, .times = 200})).code ==
        ErrorCode::DECODE_FAILED);
  CHECK(refusal(avif("none.avif", {.colour = colour, .alpha = {}, .width = 0})).code ==
        ErrorCode::MEDIA_UNREADABLE);
  CHECK(refusal(avif("large.avif", {.colour = colour, .alpha = {}, .width = 40000})).code ==
        ErrorCode::MEDIA_UNSUPPORTED);
  CHECK(refusal(avif("empty.avif", {.colour = Bytes(64), .alpha = {}})).code == ErrorCode::DECODE_FAILED);
}
