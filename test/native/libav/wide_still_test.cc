#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "formats/avif_builder.h"
#include "formats/orientation.h"
#include "libav/color/saved_profile.h"
#include "libav/decode/still_decoder.h"

using namespace framewright;

// Stills of more than 8 bits with alpha or an ICC profile, which keep their bits on canvases of 10 bits.
namespace {

struct Words {
  int r, g, b, a;
};

Words wordsAt(const Image& image, int x, int y) {
  REQUIRE(image.format() == PixelFormat::kRgba16Straight);
  const auto* const pixel =
      reinterpret_cast<const uint16_t*>(image.plane(0).data + y * image.plane(0).stride) + 4 * x;
  return {pixel[0], pixel[1], pixel[2], pixel[3]};
}

bool areNear(const Words& a, const Words& b, int tolerance) {
  return std::abs(a.r - b.r) <= tolerance && std::abs(a.g - b.g) <= tolerance &&
         std::abs(a.b - b.b) <= tolerance && std::abs(a.a - b.a) <= tolerance;
}

// Red and blue rise by 65 a column, green falls; alpha rises by 32.
const std::string kRamp =
    "-f lavfi -i \"nullsrc=s=500x16,format=gbrap16le,"
    "geq=r='16384+X*65':g='60000-X*65':b='8192+X*65':a='40000+X*32'\" -frames:v 1 ";
Words rampAt(int x) { return {16384 + 65 * x, 60000 - 65 * x, 8192 + 65 * x, 40000 + 32 * x}; }

// AV1 of 10 bits in full range, of one grey.
Bytes grey10(const std::string& name, int level, const std::string& tags) {
  return fixture::readFile(
      media(name, "-f lavfi -i \"nullsrc=s=64x48,format=yuv444p10le,geq=lum=" + std::to_string(level) +
                      ":cb=512:cr=512\" -frames:v 1 -c:v libaom-av1 -still-picture 1 "
                      "-crf 0 -cpu-used 8 -pix_fmt yuv444p10le -color_range pc " +
                      tags + " -f obu"));
}

Bytes codePoints(int primaries, int transfer, int matrix) {
  return box("colr",
             {text("nclx"), big(static_cast<uint32_t>(primaries), 2), big(static_cast<uint32_t>(transfer), 2),
              big(static_cast<uint32_t>(matrix), 2), Bytes{0x80}});
}

}  // namespace

TEST_CASE("images of 16 bits with alpha keep their samples on a canvas of 10 bits") {
  for (const std::string& path :
       {media("wide.png", kRamp + "-pix_fmt rgba64be"), media("wide.tiff", kRamp + "-pix_fmt rgba64le")}) {
    CAPTURE(path);
    CHECK(decodeStill(path).value()->format() == PixelFormat::kRgbaStraight);
    for (const CanvasTransfer canvas : {CanvasTransfer::kSdr, CanvasTransfer::kPq}) {
      const ImagePtr image = decodeStill(path, canvas).value();
      // SDR, which the compositor places on an HDR canvas.
      CHECK(!image->isHdr);
      for (const int x : {0, 1, 250, 499}) CHECK(areNear(wordsAt(*image, x, 8), rampAt(x), 1));
    }
  }
  const std::string grey = media("wide-grey.png",
                                 "-f lavfi -i \"nullsrc=s=500x16,format=gbrap16le,geq=r='X*131':"
                                 "g='X*131':b='X*131':a='65535-X*100'\" -frames:v 1 "
                                 "-pix_fmt ya16be");
  const ImagePtr image = decodeStill(grey, CanvasTransfer::kSdr).value();
  std::set<int> levels;
  for (int x = 0; x < 500; ++x) levels.insert(wordsAt(*image, x, 3).g);
  CHECK(levels.size() > 495);
  CHECK(std::abs(wordsAt(*image, 100, 3).a - 55535) <= 1);
}

TEST_CASE("images of 8 bits with alpha have 8 bits on a canvas of 10 bits, too") {
  const std::string path = media("narrow.png", kRamp + "-pix_fmt rgba");
  CHECK(decodeStill(path, CanvasTransfer::kSdr).value()->format() == PixelFormat::kRgbaStraight);
}

TEST_CASE("an ICC profile is applied with 16 bits") {
  const std::string plain = media("wide-plain.png", kRamp + "-pix_fmt rgb48be");
  const std::string path = pngWithProfile(plain, "wide-p3.png", displayP3());
  const ImagePtr image = decodeStill(path, CanvasTransfer::kSdr).value();
  std::set<int> levels;
  for (int x = 0; x < 500; ++x) levels.insert(wordsAt(*image, x, 8).g);
  CHECK(levels.size() > 490);
  // Display P3 to sRGB by hand.
  const auto light = [](double signal) {
    return signal <= 0.04045 ? signal / 12.92 : std::pow((signal + 0.055) / 1.055, 2.4);
  };
  const auto signal = [](double value) {
    const double inside = std::clamp(value, 0.0, 1.0);
    return inside <= 0.0031308 ? inside * 12.92 : 1.055 * std::pow(inside, 1 / 2.4) - 0.055;
  };
  for (const int x : {0, 200, 450}) {
    const Words from = rampAt(x);
    const double r = light(from.r / 65535.0), g = light(from.g / 65535.0), b = light(from.b / 65535.0);
    const auto word = [&](double value) { return static_cast<int>(std::lround(signal(value) * 65535)); };
    const Words expected{word(1.2249 * r - 0.2247 * g), word(-0.0420 * r + 1.0419 * g),
                         word(-0.0197 * r - 0.0786 * g + 1.0979 * b), 65535};
    CAPTURE(x);
    CHECK(areNear(wordsAt(*image, x, 8), expected, 100));
  }
}

TEST_CASE("a damaged ICC profile changes nothing") {
  const std::string plain = media("wide-plain.png", kRamp + "-pix_fmt rgb48be");
  Bytes profile = displayP3();
  std::fill(profile.begin() + 128, profile.end(), uint8_t{0xFF});
  const std::string path = pngWithProfile(plain, "wide-damaged.png", profile);
  // Opaque, so in planes.
  CHECK(decodeStill(path, CanvasTransfer::kSdr).value()->format() == PixelFormat::kI010);
}

TEST_CASE("HDR images with alpha keep their light on HDR canvases and are tone-mapped on others") {
  const std::string tags = "-colorspace bt2020nc -color_primaries bt2020 -color_trc ";
  AvifShape shape;
  // 1,000 cd/m² in PQ.
  shape.colour = grey10("wide-pq.obu", 769, tags + "smpte2084");
  shape.alpha = av1("wide-alpha.obu", "color=gray:s=64x48", "gray10le");
  shape.more = {codePoints(9, 16, 9)};
  const std::string path = avif("wide-pq.avif", shape);
  const ImagePtr pq = decodeStill(path, CanvasTransfer::kPq).value();
  CHECK(pq->isHdr);
  const int alpha = wordsAt(*pq, 9, 9).a;
  CHECK(std::abs(alpha - 0x8080) < 600);
  CHECK(areNear(wordsAt(*pq, 9, 9), {49265, 49265, 49265, alpha}, 80));
  // Its peak in HLG.
  const ImagePtr hlg = decodeStill(path, CanvasTransfer::kHlg).value();
  CHECK(hlg->isHdr);
  CHECK(areNear(wordsAt(*hlg, 9, 9), {65535, 65535, 65535, alpha}, 700));
  const ImagePtr sdr = decodeStill(path, CanvasTransfer::kSdr).value();
  const Words words = wordsAt(*sdr, 9, 9);
  const int expected = fixture::pixelAt(*decodeStill(path).value(), 9, 9).g;
  CHECK(!sdr->isHdr);
  CHECK(std::abs(words.g / 257.0 - expected) < 0.6);
}

TEST_CASE("the code points of a PNG with alpha are heeded") {
  const std::string plain =
      media("wide-flat.png", "-f lavfi -i color=0xC0C0C0@0.5:s=16x16,format=rgba64be -frames:v 1");
  const int stored = wordsAt(*decodeStill(plain, CanvasTransfer::kSdr).value(), 3, 3).r;
  // BT.2100 PQ; RGB in full range.
  const std::string path = pngWithChunk(plain, "wide-cicp.png", "cICP", {9, 16, 0, 1});
  const ImagePtr pq = decodeStill(path, CanvasTransfer::kPq).value();
  CHECK(pq->isHdr);
  CHECK(wordsAt(*pq, 3, 3).r == stored);
  // Unknown code points are those of sRGB.
  const std::string odd = pngWithChunk(plain, "wide-odd.png", "cICP", {200, 250, 0, 1});
  const ImagePtr image = decodeStill(odd, CanvasTransfer::kPq).value();
  CHECK(!image->isHdr);
  CHECK(wordsAt(*image, 3, 3).r == stored);
}

TEST_CASE("a truncated image of 16 bits with alpha fails") {
  const std::string path = media("wide.png", kRamp + "-pix_fmt rgba64be");
  const Bytes whole = fixture::readFile(path);
  const std::string cut = fixture::path("wide-cut.png");
  for (const double share : {0.05, 0.3, 0.9, 0.99}) {
    Bytes bytes = whole;
    bytes.resize(static_cast<size_t>(static_cast<double>(whole.size()) * share));
    fixture::writeFile(cut, bytes);
    CHECK(!decodeStill(cut, CanvasTransfer::kSdr).ok());
  }
}

TEST_CASE("orientations apply to images of 16 bits") {
  const std::string plain = media("wide.tiff", kRamp + "-pix_fmt rgba64le");
  const ImagePtr stored = decodeStill(plain, CanvasTransfer::kSdr).value();
  for (int value = 2; value <= 8; ++value) {
    const Orientation orientation = orientationFromExif(value);
    const ImagePtr image = applyOrientation(stored, orientation).value();
    CHECK(image->width() == (orientation.swapped ? 16 : 500));
    const int x = orientation.fromRight ? 499 - 120 : 120;
    CHECK(areNear(orientation.swapped ? wordsAt(*image, 3, x) : wordsAt(*image, x, 3), rampAt(120), 1));
  }
}
