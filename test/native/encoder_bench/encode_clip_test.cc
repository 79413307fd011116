#include "encoder_bench/encode_clip.h"

#include <fstream>

#include <doctest/doctest.h>

#include "encoder_bench/measure_quality.h"
#include "encoder_bench/prepare_clip.h"
#include "libav/media_fixture.h"

using namespace framewright;

namespace {

std::string source() {
  static const std::string path =
      fixture::media("bench.y4m", "-f lavfi -i testsrc2=s=192x128:r=25 -frames:v 12 -pix_fmt yuv420p");
  return path;
}

std::string y4mOf(const std::string& name, const std::string& header) {
  const std::string path = fixture::path(name);
  std::ofstream(path) << header << "\nFRAME\n" << std::string(1000, 'x');
  return path;
}

}  // namespace

TEST_CASE("a clip is encoded with its cost and a quality that fits the rate") {
  VideoEncoderSettings settings;
  settings.preset = "ultrafast";
  double psnr[2] = {0, 0};
  int64_t bytes[2] = {0, 0};
  const double rates[2] = {20, 40};
  for (int i = 0; i < 2; ++i) {
    settings.crf = rates[i];
    const std::string path = fixture::path("clip" + std::to_string(i) + ".nut");
    const auto cost = encodeClip(source(), 10, settings, 5, false, path);
    REQUIRE(cost.ok());
    CHECK(cost.value().frames == 10);
    CHECK(cost.value().cpuSeconds > 0);
    CHECK(cost.value().wallSeconds > 0);
    CHECK(cost.value().peakMemoryBytes > 1'000'000);
    const auto quality = measureQuality(source(), 10, path, "");
    REQUIRE(quality.ok());
    CHECK(quality.value().frames == 10);
    psnr[i] = quality.value().psnr[0];
    bytes[i] = cost.value().bytes;
    CHECK_FALSE(measureQuality(source(), 12, path, "").ok());
  }
  CHECK(psnr[0] > psnr[1] + 5);
  CHECK(bytes[0] > 2 * bytes[1]);
}

TEST_CASE("a lossless file is decoded to its source clip") {
  const std::string media = fixture::media(
      "lossless.mp4", "-i " + source() + " -c:v libx264 -qp 0 -colorspace bt709 -color_range tv");
  const std::string path = fixture::path("prepared.y4m");
  const auto clip = prepareClip(media, 0, path);
  REQUIRE(clip.ok());
  CHECK(clip.value().frames == 12);
  CHECK(clip.value().header.fps == Rational{25, 1});
  const auto left = Y4mReader::open(source()).take(), right = Y4mReader::open(path).take();
  for (int i = 0; i < 12; ++i) {
    const ImagePtr a = left->next().take(), b = right->next().take();
    for (int row = 0; row < 128; ++row)
      REQUIRE(std::equal(a->plane(0).data + row * a->plane(0).stride,
                         a->plane(0).data + row * a->plane(0).stride + 192,
                         b->plane(0).data + row * b->plane(0).stride));
  }
}

TEST_CASE("Y4M: errors of unusable files name the fault") {
  const auto refusal = [](const std::string& path) { return Y4mReader::open(path).error().message; };
  CHECK(refusal(fixture::path("missing.y4m")).find("cannot be opened") != std::string::npos);
  CHECK(refusal(y4mOf("no.y4m", "RIFF")) == "this is not a Y4M file");
  CHECK(refusal(y4mOf("deep.y4m", "YUV4MPEG2 W8 H8 F25:1 C420p10")).find("C420p10") != std::string::npos);
  CHECK(refusal(y4mOf("odd.y4m", "YUV4MPEG2 W9 H8 F25:1")).find("even sides") != std::string::npos);
  CHECK(refusal(y4mOf("rate.y4m", "YUV4MPEG2 W8 H8")).find("frame rate") != std::string::npos);
  CHECK(refusal(y4mOf("fields.y4m", "YUV4MPEG2 W8 H8 F25:1 It")).find("interlaced") != std::string::npos);
  CHECK(refusal(y4mOf("huge.y4m", "YUV4MPEG2 W99999999 H8 F25:1")).find("invalid frame size") != std::string::npos);
  CHECK(refusal(y4mOf("empty.y4m", "YUV4MPEG2 W640 H640 F25:1")).find("no frame") != std::string::npos);
}
