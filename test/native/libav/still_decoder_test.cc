#include "libav/decode/still_decoder.h"

#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "formats/image_header.h"
#include "formats/sprite_file.h"
#include "libav/media_fixture.h"

using namespace framewright;
using fixture::media;
using fixture::pixelAt;

namespace {

ImagePtr decoded(const std::string& path) {
  auto image = decodeStill(path);
  if (!image.ok()) FAIL(image.error().message << " " << image.error().detail);
  return image.take();
}

void checkNear(const fixture::Rgb& pixel, int r, int g, int b, int slack) {
  CHECK(std::abs(pixel.r - r) <= slack);
  CHECK(std::abs(pixel.g - g) <= slack);
  CHECK(std::abs(pixel.b - b) <= slack);
}

// A JPEG of 4 quadrants (red, green / blue, white) with an EXIF orientation in an APP1 segment.
std::string orientedJpeg(int orientation, const std::string& size, const std::string& name) {
  const std::string plain =
      media(name + ".jpg",
            "-f lavfi -i \"color=white:s=" + size +
                ",format=rgb24,geq=r='if(lt(X,W/2),if(lt(Y,H/2),255,0),if(lt(Y,H/2),0,255))':"
                "g='if(lt(X,W/2),0,255)':b='if(lt(Y,H/2),0,255)'\" -frames:v 1 -q:v 1 -pix_fmt yuvj420p");
  std::vector<uint8_t> bytes = fixture::readFile(plain);
  const std::vector<uint8_t> app1{0xFF, 0xE1, 0, 34, 'E', 'x', 'i', 'f', 0, 0,
                                  'M',  'M',  0, 42, 0,   0,   0,   8,   0, 1,
                                  0x01, 0x12, 0, 3,  0,   0,   0,   1,   0, static_cast<uint8_t>(orientation),
                                  0,    0,    0, 0,  0,   0};
  bytes.insert(bytes.begin() + 2, app1.begin(), app1.end());
  const std::string path = fixture::path(name + "-" + std::to_string(orientation) + ".jpg");
  fixture::writeFile(path, bytes);
  return path;
}

char quadrant(const Image& image, double fx, double fy) {
  const auto pixel =
      pixelAt(image, static_cast<int>(image.width() * fx), static_cast<int>(image.height() * fy));
  if (pixel.r > 180 && pixel.g > 180) return 'W';
  return pixel.r > 180 ? 'R' : pixel.g > 180 ? 'G' : 'B';
}

std::vector<uint8_t> hugePng(uint32_t width, uint32_t height) {
  std::vector<uint8_t> bytes{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
  for (uint32_t value : {width, height}) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<uint8_t>(value >> shift));
  }
  bytes.insert(bytes.end(), {8, 6, 0, 0, 0, 0, 0, 0, 0});
  return bytes;
}

}  // namespace

TEST_CASE("all eight EXIF orientations are applied") {
  // Expected quadrants in reading order when red/green/blue/white are stored.
  const char* expected[] = {"", "RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB"};
  for (const char* size : {"64x48", "63x47"}) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
      CAPTURE(std::string(size));
      CAPTURE(orientation);
      const ImagePtr image = decoded(orientedJpeg(orientation, size, std::string("quad") + size));
      const bool rotated = orientation >= 5;
      const int width = size[1] == '4' ? 64 : 63, height = size[1] == '4' ? 48 : 47;
      CHECK(image->width() == (rotated ? height : width));
      CHECK(image->height() == (rotated ? width : height));
      const std::string seen{quadrant(*image, 0.25, 0.25), quadrant(*image, 0.75, 0.25),
                             quadrant(*image, 0.25, 0.75), quadrant(*image, 0.75, 0.75)};
      CHECK(seen == expected[orientation]);
    }
  }
}

TEST_CASE("JPEG: colours are converted from BT.601 full range to BT.709 limited") {
  for (const auto& [name, r, g, b] : {std::tuple{std::string("orange"), 230, 120, 20},
                                      {"teal", 10, 130, 120},
                                      {"violet", 120, 40, 200},
                                      {"grey", 128, 128, 128},
                                      {"black", 0, 0, 0},
                                      {"white", 255, 255, 255}}) {
    CAPTURE(name);
    char color[16];
    std::snprintf(color, sizeof(color), "0x%02x%02x%02x", r, g, b);
    const ImagePtr image = decoded(media(name + ".jpg", std::string("-f lavfi -i color=") + color +
                                                            ":s=64x48,format=rgb24 -frames:v 1 -q:v 1 "
                                                            "-pix_fmt yuvj420p"));
    CHECK(image->format() == PixelFormat::kI420);
    CHECK(image->siting == ChromaSiting::kCenter);
    checkNear(pixelAt(*image, 30, 20), r, g, b, 5);
  }
}

TEST_CASE("other pixel formats become straight RGBA with correct colours") {
  const char* kPalette = "-vf \"split[a][b];[a]palettegen[p];[b][p]paletteuse\"";
  const std::string source = "-f lavfi -i color=0x3CA0DC:s=37x23:d=0.04,format=rgba -frames:v 1 ";
  struct Case {
    std::string name;
    const char* options;
    int slack;
  };
  for (const Case& one : {Case{"c8.png", "-pix_fmt rgb24", 0}, Case{"c16.png", "-pix_fmt rgb48be", 1},
                          Case{"ca.png", "-pix_fmt rgba", 0}, Case{"cp.png", kPalette, 1},
                          Case{"c444.jpg", "-q:v 1 -pix_fmt yuvj444p", 4}, Case{"c.gif", kPalette, 1},
                          Case{"cl.webp", "-lossless 1 -pix_fmt bgra", 1}}) {
    CAPTURE(one.name);
    const ImagePtr image = decoded(media(one.name, source + one.options));
    REQUIRE(image->format() == PixelFormat::kRgbaStraight);
    CHECK(image->width() == 37);
    checkNear(pixelAt(*image, 20, 10), 0x3C, 0xA0, 0xDC, one.slack);
    CHECK(pixelAt(*image, 20, 10).a == 255);
  }
  const ImagePtr lossy = decoded(media("lossy.webp", source + "-quality 95 -pix_fmt yuv420p"));
  checkNear(pixelAt(*lossy, 20, 10), 0x3C, 0xA0, 0xDC, 5);
  const ImagePtr grey =
      decoded(media("grey16.png", "-f lavfi -i color=0x646464:s=16x16 -frames:v 1 -pix_fmt gray16be"));
  checkNear(pixelAt(*grey, 8, 8), 0x64, 0x64, 0x64, 2);
}

TEST_CASE("4:4:4 photos are converted to the frame format without visible change") {
  for (const std::string layout : {"yuvj444p", "yuvj422p"}) {
    CAPTURE(layout);
    const auto photo = [&](const std::string& size) {
      const std::string source = "-f lavfi -i mandelbrot=s=400x300,scale=" + size + ",hue=h=60 -frames:v 1 ";
      return decoded(media(layout + size + ".jpg", source + "-q:v 2 -pix_fmt " + layout));
    };
    CHECK(photo("400:300")->format() == PixelFormat::kRgbaStraight);
    const ImagePtr image = photo("2400:1800");
    REQUIRE(image->format() == PixelFormat::kI420);
    CHECK(image->siting == ChromaSiting::kCenter);
    const std::string raw = fixture::path(layout + ".rgb"), file = fixture::path(layout + "2400:1800.jpg");
    fixture::outputOf("ffmpeg -y -nostdin -v error -i '" + file + "' -f rawvideo -pix_fmt rgb24 '" + raw +
                      "'");
    const std::vector<uint8_t> rgb = fixture::readFile(raw);
    REQUIRE(rgb.size() == size_t{2400} * 1800 * 3);
    double off = 0;
    int count = 0;
    for (int y = 5; y < 1800; y += 31)
      for (int x = 5; x < 2400; x += 31, ++count) {
        const auto pixel = pixelAt(*image, x, y);
        const uint8_t* wanted = &rgb[(static_cast<size_t>(y) * 2400 + static_cast<size_t>(x)) * 3];
        off += std::abs(pixel.r - wanted[0]) + std::abs(pixel.g - wanted[1]) + std::abs(pixel.b - wanted[2]);
      }
    CHECK(off / (3.0 * count) < 3);
  }
}

TEST_CASE("PNG: alpha stays straight") {
  const ImagePtr image =
      decoded(media("alpha.png", "-f lavfi -i color=0xFF8000@0.5:s=16x16,format=rgba -frames:v 1"));
  const auto pixel = pixelAt(*image, 4, 4);
  checkNear(pixel, 255, 128, 0, 1);
  CHECK(std::abs(pixel.a - 128) <= 1);
}

TEST_CASE("a still of an animated image is its first frame") {
  const std::string source =
      "-f lavfi -i \"color=red:s=32x32:r=5:d=0.4[a];color=blue:s=32x32:r=5:d=0.4[b];[a][b]concat\" ";
  checkNear(pixelAt(*decoded(media("moving.gif", source)), 10, 10), 255, 0, 0, 8);
  checkNear(pixelAt(*decoded(media("moving.webp", source + "-c:v libwebp_anim -lossless 1")), 10, 10), 255, 0,
            0, 3);
}

TEST_CASE("truncated images fail instead of showing a grey rest") {
  for (const std::string name :
       {"cut.png", "cut.jpg", "cut.webp", "cut.gif", "cut.bmp", "cut.tiff", "cut.avif"}) {
    CAPTURE(name);
    std::vector<uint8_t> bytes =
        fixture::readFile(media(std::string("whole-") + name, "-f lavfi -i testsrc2=s=128x96 -frames:v 1"));
    for (const double part : {0.3, 0.6, 0.95}) {
      std::vector<uint8_t> start(bytes.begin(),
                                 bytes.begin() + static_cast<long>(static_cast<double>(bytes.size()) * part));
      const std::string path = fixture::path(std::to_string(part) + name);
      fixture::writeFile(path, start);
      const auto image = decodeStill(path);
      REQUIRE(!image.ok());
      CHECK(image.error().code == ErrorCode::DECODE_FAILED);
    }
  }
}

TEST_CASE("truncated and damaged headers do not crash the header parser") {
  for (const std::string name :
       {"fuzz.png", "fuzz.jpg", "fuzz.webp", "fuzz.gif", "fuzz.bmp", "fuzz.tiff", "fuzz.avif"}) {
    const std::vector<uint8_t> bytes =
        fixture::readFile(media(name, "-f lavfi -i testsrc2=s=24x16 -frames:v 1"));
    for (size_t i = 0; i < bytes.size(); i += 3) {
      const std::vector<uint8_t> prefix(bytes.begin(), bytes.begin() + static_cast<long>(i));
      CHECK(!(readImageHeader(prefix).ok() && i < bytes.size() / 2));
      std::vector<uint8_t> damaged = bytes;
      damaged[i] ^= 0xFF;
      const auto header = readImageHeader(damaged);
      if (header.ok()) CHECK(header.value().width > 0);
    }
  }
}

TEST_CASE("an image whose header exceeds the limits is rejected before decoding") {
  const std::string path = fixture::path("huge.png");
  for (const auto& [width, height] : {std::pair{100000u, 100000u}, {16385u, 10u}, {10000u, 5001u}}) {
    fixture::writeFile(path, hugePng(width, height));
    const auto image = decodeStill(path);
    REQUIRE(!image.ok());
    CHECK(image.error().code == ErrorCode::MEDIA_UNSUPPORTED);
    CHECK(image.error().message.find("50 megapixels") != std::string::npos);
  }
}

TEST_CASE("a sprite file is read as premultiplied pixels") {
  std::vector<uint8_t> bytes{'F', 'W', 'S', 'P', 1,  0,  0,  0,  2,  0,  0,  0,
                             1,   0,   0,   0,   10, 20, 30, 40, 50, 60, 70, 80};
  const std::string path = fixture::path("good.sprite");
  fixture::writeFile(path, bytes);
  const ImagePtr image = readSpriteFile(path).take();
  CHECK(image->format() == PixelFormat::kRgbaPremultiplied);
  CHECK(image->width() == 2);
  CHECK(pixelAt(*image, 1, 0).a == 80);
  bytes.pop_back();
  fixture::writeFile(path, bytes);
  CHECK(readSpriteFile(path).error().code == ErrorCode::MEDIA_UNREADABLE);
  bytes[0] = 'X';
  fixture::writeFile(path, bytes);
  CHECK(!readSpriteFile(path).ok());
}

TEST_CASE("images of more than 8 bits keep them on a canvas of 10 bits") {
  // 500 levels of grey between a quarter and three quarters of white.
  const std::string ramp =
      "-f lavfi -i \"nullsrc=s=500x16,format=gray16le,geq=lum='16384+X*65'\" -frames:v 1 ";
  const auto levelsOf = [](const Image& image) {
    std::set<int> levels;
    for (int x = 0; x < image.width(); ++x)
      levels.insert(reinterpret_cast<const uint16_t*>(image.plane(0).data)[x]);
    return levels;
  };
  for (const std::string& path :
       {media("deep-grey.png", ramp + "-pix_fmt gray16be"), media("deep-rgb.png", ramp + "-pix_fmt rgb48be"),
        media("deep-rgb.tiff", ramp + "-pix_fmt rgb48le"),
        media("deep.avif",
              "-f lavfi -i "
              "\"nullsrc=s=500x16,format=yuv420p10le,geq=lum='64+876*(16384+X*65)/65535':cb=512:cr=512\" "
              "-frames:v 1 "
              "-pix_fmt yuv420p10le -c:v libaom-av1 "
              "-still-picture 1 -crf 0 -cpu-used 8")}) {
    CAPTURE(path);
    CHECK(decodeStill(path).value()->format() != PixelFormat::kI010);
    const ImagePtr deep = decodeStill(path, CanvasTransfer::kSdr).value();
    REQUIRE(deep->format() == PixelFormat::kI010);
    const std::set<int> levels = levelsOf(*deep);
    CHECK(levels.size() > 400);
    CHECK(std::abs(*levels.begin() - (64 + 876 / 4)) <= 1);
    CHECK(std::abs(*levels.rbegin() - (64 + 876 * (16384 + 499 * 65) / 65535)) <= 1);
  }
  const std::string small =
      media("8-bits.png", "-f lavfi -i color=0x808080:s=16x16,format=rgb24 -frames:v 1");
  CHECK(decodeStill(small, CanvasTransfer::kSdr).value()->format() == PixelFormat::kRgbaStraight);
  CHECK(decodeStill(small, CanvasTransfer::kPq).value()->format() == PixelFormat::kRgbaStraight);
}

TEST_CASE("an HDR image has its light on an HDR canvas, and SDR of 10 bits has white at 203 cd/m2") {
  const auto lumaOf = [](const std::string& path, CanvasTransfer canvas) {
    const ImagePtr image = decodeStill(path, canvas).value();
    REQUIRE(image->format() == PixelFormat::kI010);
    return reinterpret_cast<const uint16_t*>(image->plane(0).data)[image->plane(0).width / 2];
  };
  const std::string avif =
      "-frames:v 1 -c:v libaom-av1 -still-picture 1 -crf 0 -cpu-used 8 -colorspace bt2020nc "
      "-color_primaries bt2020 -color_range tv -color_trc ";
  // 1,000 cd/m² are 0.7518 in PQ, and 0.75 in HLG on a display of 1,000 cd/m² are 203.
  const std::string grey = "-f lavfi -i \"nullsrc=s=64x64,format=yuv420p10le,geq=lum=";
  const std::string pq = media("light-pq.avif", grey + "723:cb=512:cr=512\" " + avif + "smpte2084");
  CHECK(std::abs(lumaOf(pq, CanvasTransfer::kPq) - 723) <= 1);
  CHECK(std::abs(lumaOf(pq, CanvasTransfer::kHlg) - (64 + 876)) <= 8);
  const std::string hlg = media("light-hlg.avif", grey + "721:cb=512:cr=512\" " + avif + "arib-std-b67");
  CHECK(std::abs(lumaOf(hlg, CanvasTransfer::kHlg) - 721) <= 1);
  // 203 cd/m² are 0.5807 in PQ.
  CHECK(std::abs(lumaOf(hlg, CanvasTransfer::kPq) - 573) <= 3);
  const std::string white =
      media("light-sdr.png", "-f lavfi -i color=white:s=64x64,format=rgb48be -frames:v 1");
  CHECK(std::abs(lumaOf(white, CanvasTransfer::kPq) - 573) <= 2);
  // sRGB of 0.5 is 0.214 of white: 43.4 cd/m², 0.424 in PQ.
  const std::string half =
      media("half-sdr.png",
            "-f lavfi -i \"nullsrc=s=64x64,format=gray16le,geq=lum=32768\" -frames:v 1 -pix_fmt gray16be");
  CHECK(std::abs(lumaOf(half, CanvasTransfer::kPq) - (64 + 876 * 0.4240)) <= 3);
}
