#include <cmath>

#include <doctest/doctest.h>
#include <lcms2.h>

#include "libav/color/saved_profile.h"
#include "libav/decode/still_decoder.h"
#include "libav/demux/probe.h"
#include "libav/media_fixture.h"

using namespace framewright;
using fixture::media;
using Bytes = std::vector<uint8_t>;

namespace {

Bytes greyOfGamma(double gamma) {
  cmsToneCurve* const curve = cmsBuildGamma(nullptr, gamma);
  const Bytes bytes = savedProfile(cmsCreateGrayProfile(&kD65, curve));
  cmsFreeToneCurve(curve);
  return bytes;
}

constexpr size_t kAfterJpegStart = 2;

std::string jpegWith(const std::string& path, const std::string& name, const Bytes& profile) {
  const size_t length = profile.size() + 16;
  Bytes segment{0xFF, 0xE2, static_cast<uint8_t>(length >> 8), static_cast<uint8_t>(length)};
  for (const char letter : std::string("ICC_PROFILE")) segment.push_back(static_cast<uint8_t>(letter));
  segment.insert(segment.end(), {0, 1, 1});
  segment.insert(segment.end(), profile.begin(), profile.end());
  return withBytes(path, name, kAfterJpegStart, segment);
}

// A WebP with a VP8X header and an ICCP chunk before its one chunk of pixels.
std::string webpWith(const std::string& path, const std::string& name, const Bytes& profile, uint8_t side) {
  const Bytes plain = fixture::readFile(path);
  Bytes bytes{'V',
              'P',
              '8',
              'X',
              10,
              0,
              0,
              0,
              0x20,
              0,
              0,
              0,
              static_cast<uint8_t>(side - 1),
              0,
              0,
              static_cast<uint8_t>(side - 1),
              0,
              0,
              'I',
              'C',
              'C',
              'P'};
  const auto add32 = [](Bytes& to, size_t value) {
    for (int shift = 0; shift < 32; shift += 8) to.push_back(static_cast<uint8_t>(value >> shift));
  };
  add32(bytes, profile.size());
  bytes.insert(bytes.end(), profile.begin(), profile.end());
  if (profile.size() % 2 == 1) bytes.push_back(0);
  bytes.insert(bytes.end(), plain.begin() + 12, plain.end());
  Bytes file{'R', 'I', 'F', 'F'};
  add32(file, bytes.size() + 4);
  file.insert(file.end(), {'W', 'E', 'B', 'P'});
  file.insert(file.end(), bytes.begin(), bytes.end());
  const std::string target = fixture::path(name);
  fixture::writeFile(target, file);
  return target;
}

std::string flat(const std::string& name, const std::string& format, const std::string& options = "") {
  return media(name, "-f lavfi -i color=0xCA503C:s=64x64 -frames:v 1 -vf format=" + format + " " + options);
}

void checkColor(const std::string& path, int r, int g, int b) {
  CAPTURE(path);
  auto image = decodeStill(path);
  REQUIRE(image.ok());
  const fixture::Rgb pixel = fixture::pixelAt(*image.value(), 30, 30);
  CAPTURE(pixel.r);
  CAPTURE(pixel.g);
  CAPTURE(pixel.b);
  CHECK(std::abs(pixel.r - r) <= 2);
  CHECK(std::abs(pixel.g - g) <= 2);
  CHECK(std::abs(pixel.b - b) <= 2);
  CHECK(pixel.a == 255);
}

}  // namespace

// (202, 80, 60) of Display P3 is (218, 69, 50) of sRGB by the matrices of both.
TEST_CASE("images with a profile are converted to sRGB") {
  const Bytes profile = displayP3();
  checkColor(pngWithProfile(flat("plain.png", "rgb24"), "p3.png", profile), 218, 69, 50);
  checkColor(pngWithProfile(flat("plain-alpha.png", "rgba"), "p3-alpha.png", profile), 218, 69, 50);
  checkColor(jpegWith(flat("plain.jpg", "yuvj444p", "-q:v 1"), "p3.jpg", profile), 218, 69, 50);
  checkColor(webpWith(flat("plain.webp", "bgra", "-c:v libwebp -lossless 1"), "p3.webp", profile, 64), 218,
             69, 50);
  checkColor(flat("plain.png", "rgb24"), 202, 80, 60);
}

TEST_CASE("a grey profile is applied to grey images only") {
  const Bytes profile = greyOfGamma(1.0);
  const std::string grey =
      media("grey.png", "-f lavfi -i color=0x808080:s=64x64 -frames:v 1 -vf format=gray");
  checkColor(grey, 128, 128, 128);
  // 128 / 255 of the light is 188 of sRGB.
  checkColor(pngWithProfile(grey, "grey-linear.png", profile), 188, 188, 188);
  checkColor(pngWithProfile(flat("plain.png", "rgb24"), "wrong-kind.png", profile), 202, 80, 60);
}

TEST_CASE("a profile close to sRGB and a damaged one change nothing") {
  const Bytes srgb = savedProfile(cmsCreate_sRGBProfile());
  const std::string large = flat("large.jpg", "yuvj420p", "-q:v 1");
  auto image = decodeStill(jpegWith(large, "srgb.jpg", srgb));
  REQUIRE(image.ok());
  CHECK(image.value()->format() == decodeStill(large).value()->format());
  Bytes damaged = displayP3();
  for (size_t i = 40; i < damaged.size(); ++i) damaged[i] = static_cast<uint8_t>(i * 37);
  checkColor(pngWithProfile(flat("plain.png", "rgb24"), "damaged.png", damaged), 202, 80, 60);
}

TEST_CASE("code points of AVIF and PNG are heeded") {
  const std::string p3 =
      flat("p3.avif", "yuv444p",
           "-c:v libaom-av1 -still-picture 1 -crf 1 -cpu-used 8 -color_primaries smpte432 -color_trc "
           "iec61966-2-1 -colorspace bt709");
  // ffmpeg makes the samples with a matrix of its own choice, so only the direction is checked.
  const fixture::Rgb plain =
      fixture::pixelAt(*decodeStill(flat("plain.avif", "yuv444p",
                                         "-c:v libaom-av1 -still-picture 1 -crf 1 -cpu-used 8 "
                                         "-color_primaries bt709 -color_trc iec61966-2-1 -colorspace bt709"))
                            .value(),
                       30, 30);
  const fixture::Rgb wide = fixture::pixelAt(*decodeStill(p3).value(), 30, 30);
  CHECK(wide.r > plain.r + 8);
  CHECK(wide.g < plain.g - 5);

  // PQ at half of its range is 92 cd/m², which is 0.69 of an SDR display's signal, or 177 of 255.
  const std::string pq =
      pngWithChunk(media("cicp16.png", "-f lavfi -i color=0x808080:s=64x64 -frames:v 1 -vf format=rgb48be"),
                   "pq.png", "cICP", {9, 16, 0, 1});
  checkColor(pq, 169, 169, 169);
  CHECK(probe(pq).value().hdr == "pq");
  CHECK(probe(flat("plain.png", "rgb24")).value().hdr.empty());
}
