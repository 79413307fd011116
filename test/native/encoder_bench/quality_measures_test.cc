#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <doctest/doctest.h>

#include "encoder_bench/squared_error.h"
#include "encoder_bench/ssim.h"
#include "encoder_bench/xpsnr.h"
#include "encoder_bench/y4m_file.h"
#include "libav/media_fixture.h"

using namespace framewright;

namespace {

ImagePtr flat(int width, int height, int luma, int chroma = 128) {
  auto image = Image::create(PixelFormat::kI420, width, height).take();
  for (int i = 0; i < 3; ++i) {
    const Plane& plane = image->plane(i);
    for (int y = 0; y < plane.height; ++y)
      for (int x = 0; x < plane.width; ++x)
        plane.data[y * plane.stride + x] = static_cast<uint8_t>(i == 0 ? luma : chroma);
  }
  return image;
}

// A luma chessboard of `middle` - `step` and `middle` + `step`.
ImagePtr chessboard(int width, int height, int middle, int step) {
  const ImagePtr image = flat(width, height, middle);
  const Plane& plane = image->plane(0);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      plane.data[y * plane.stride + x] = static_cast<uint8_t>(middle + ((x + y) % 2 == 0 ? step : -step));
  return image;
}

// The number after `label` in ffmpeg's output.
double figure(const std::string& words, const std::string& label) {
  const size_t at = words.find(label);
  REQUIRE(at != std::string::npos);
  return std::stod(words.substr(at + label.size()));
}

}  // namespace

TEST_CASE("PSNR and SSIM of a clip equal those of ffmpeg's filters") {
  const std::string source = fixture::media(
      "source.y4m", "-f lavfi -i testsrc2=s=186x98:r=25,noise=alls=9:allf=t -frames:v 6 -pix_fmt yuv420p");
  const std::string worse = fixture::media(
      "worse.y4m", "-i " + source + " -vf boxblur=2,eq=contrast=0.9:saturation=0.8 -pix_fmt yuv420p");
  const auto left = Y4mReader::open(source).take(), right = Y4mReader::open(worse).take();
  CHECK(left->frames() == 6);
  PsnrMeter psnr;
  SsimMeter ssim;
  for (int i = 0; i < 6; ++i) {
    const ImagePtr a = left->next().take(), b = right->next().take();
    psnr.add(*a, *b);
    ssim.add(*a, *b);
  }
  CHECK(left->next().value() == nullptr);

  // ffmpeg's vector code differs for rows that do not fill its vectors; its scalar code does not.
  const std::string words = fixture::outputOf("ffmpeg -cpuflags 0 -nostdin -i " + worse + " -i " + source +
                                              " -lavfi '[0][1]ssim' -f null - 2>&1");
  CHECK(ssim.planes()[0] == doctest::Approx(figure(words, "SSIM Y:")).epsilon(3e-6));
  CHECK(ssim.planes()[1] == doctest::Approx(figure(words, " U:")).epsilon(3e-6));
  CHECK(ssim.planes()[2] == doctest::Approx(figure(words, " V:")).epsilon(3e-6));
  CHECK(ssim.all() == doctest::Approx(figure(words, " All:")).epsilon(3e-6));
  const std::string ratios = fixture::outputOf("ffmpeg -nostdin -i " + worse + " -i " + source +
                                               " -lavfi '[0][1]psnr' -f null - 2>&1");
  CHECK(psnr.planes()[0] == doctest::Approx(figure(ratios, "PSNR y:")).epsilon(1e-7));
  CHECK(psnr.planes()[1] == doctest::Approx(figure(ratios, " u:")).epsilon(1e-7));
  CHECK(psnr.planes()[2] == doctest::Approx(figure(ratios, " v:")).epsilon(1e-7));
}

TEST_CASE("PSNR of one level of difference is 48.13 dB, of none infinite; luma counts six times") {
  PsnrMeter psnr;
  psnr.add(*flat(16, 16, 100, 128), *flat(16, 16, 101, 128));
  CHECK(psnr.planes()[0] == doctest::Approx(48.1308).epsilon(1e-6));
  CHECK(std::isinf(psnr.planes()[1]));
  CHECK(weighted611({40, 44, 48}) == doctest::Approx(41.5));
}

TEST_CASE("SSIM of flat planes depends on their means only") {
  // (2 * 100 * 110 + C) / (100^2 + 110^2 + C), C = 6.5025 / 64
  const ImagePtr a = flat(32, 32, 100), b = flat(32, 32, 110);
  CHECK(ssimOf(a->plane(0), b->plane(0)) ==
        doctest::Approx(22000.1016015625 / 22100.1016015625).epsilon(1e-9));
}

TEST_CASE("XPSNR: the block size depends on the frame size") {
  CHECK(XpsnrMeter(3840, 2160, 60).blockSize() == 128);
  CHECK(XpsnrMeter(1920, 1080, 30).blockSize() == 64);
  CHECK(XpsnrMeter(1280, 720, 30).blockSize() == 44);
}

TEST_CASE("XPSNR: weights of flat and chessboard frames, static and alternating") {
  // 1920x1080: r = 1/4, sqrt(a_pic) = sqrt(2048 / 0.5) = 64.
  const XpsnrMeter slow(1920, 1080, 25), fast(1920, 1080, 50);
  const ImagePtr grey = flat(1920, 1080, 100), board = chessboard(1920, 1080, 100, 2);
  const Plane &flatLuma = grey->plane(0), &boardLuma = board->plane(0);
  CHECK(slow.weights(flatLuma, &flatLuma, &flatLuma).size() == 30 * 17);
  // Still and flat: the minimum activity, 4. Against black: 2 * 100.
  CHECK(slow.weights(flatLuma, &flatLuma, nullptr)[31] == doctest::Approx(64.0 / 4));
  CHECK(slow.weights(flatLuma, nullptr, nullptr)[31] == doctest::Approx(64.0 / 200));
  // 12 * 2 + 8 * 2 - 4 * 2 = 32 at every sample.
  CHECK(slow.weights(boardLuma, &boardLuma, nullptr)[31] == doctest::Approx(64.0 / 32));
  // From the flat frame to the chessboard every sample changes by 2.
  CHECK(slow.weights(boardLuma, &flatLuma, nullptr)[31] == doctest::Approx(64.0 / (32 + 2 * 2)));
  // At 50 fps second differences are used: flat, board, flat changes by 4.
  CHECK(fast.weights(flatLuma, &boardLuma, &flatLuma)[31] == doctest::Approx(64.0 / (2 * 4)));
}

TEST_CASE("XPSNR above HD filters sums of four samples: a chessboard of single samples is flat") {
  const XpsnrMeter meter(3840, 2160, 25);
  const ImagePtr board = chessboard(3840, 2160, 100, 2);
  const Plane& luma = board->plane(0);
  CHECK(meter.weights(luma, &luma, nullptr)[31] == doctest::Approx(std::sqrt(2048.0) / 4));
}

TEST_CASE("XPSNR of small frames: a block's weight is at most the maximum of its neighbours") {
  // 320x240: blocks of 12. One flat block (second row and column) in a chessboard.
  const XpsnrMeter meter(320, 240, 25);
  REQUIRE(meter.blockSize() == 12);
  const ImagePtr image = chessboard(320, 240, 100, 20);
  const Plane& luma = image->plane(0);
  for (int y = 11; y < 25; ++y)
    for (int x = 11; x < 25; ++x) luma.data[y * luma.stride + x] = 100;
  const std::vector<double> weights = meter.weights(luma, &luma, nullptr);
  const double max = std::max({weights[1], weights[27], weights[29]});
  CHECK(weights[28] == doctest::Approx(max));
  CHECK(max < 0.5 * std::sqrt(2048 / std::sqrt(320 * 240 / (3840.0 * 2160.0))) / 4);
}

TEST_CASE("XPSNR of a clip: the roots of the frames' errors are averaged") {
  // 1920x1080, luma one off everywhere: weights 64/200 against black, then 64/4.
  XpsnrMeter meter(1920, 1080, 25);
  const ImagePtr reference = flat(1920, 1080, 100), decoded = flat(1920, 1080, 101);
  meter.add(reference, *decoded);
  meter.add(reference, *decoded);
  const double root = (std::sqrt(64.0 / 200) + std::sqrt(64.0 / 4)) / 2;
  CHECK(meter.planes()[0] == doctest::Approx(10 * std::log10(255 * 255 / (root * root))).epsilon(1e-9));
  CHECK(std::isinf(meter.planes()[1]));
}
