#include "libav/decode/video_decoder.h"

#include <cmath>

#include <doctest/doctest.h>

#include "libav/demux/probe.h"
#include "libav/frame_checks.h"
#include "libav/media_fixture.h"

using namespace framewright;
using fixture::checkEveryFrame;
using fixture::countingVideo;
using fixture::frameNumber;
using fixture::kH264;
using fixture::numberAt;

namespace {

std::unique_ptr<VideoDecoder> opened(const std::string& path) { return fixture::openedVideo(path); }

}  // namespace

TEST_CASE("video decoding is frame-exact at common rates, forwards and after seeking") {
  checkEveryFrame(countingVideo("v25.mp4", "25", "64x48", 60, kH264 + " -g 12"), 25, 60);
  checkEveryFrame(countingVideo("v30.mp4", "30", "64x48", 60, kH264), 30, 60);
  checkEveryFrame(countingVideo("v2997.mp4", "30000/1001", "64x48", 60, kH264 + " -g 20"), 30000.0 / 1001,
                  60);
  checkEveryFrame(countingVideo("v60.mp4", "60", "64x48", 60, kH264 + " -g 7"), 60, 60);
  checkEveryFrame(countingVideo("v30.mkv", "30", "64x48", 60, kH264 + " -g 15"), 30, 60);
  checkEveryFrame(
      countingVideo("v2997.webm", "30000/1001", "64x48", 60,
                    "-c:v libvpx-vp9 -pix_fmt yuv420p -crf 4 -b:v 0 -deadline realtime -cpu-used 8 -g 25"),
      30000.0 / 1001, 60);
  checkEveryFrame(countingVideo("v24.mov", "24", "64x48", 60, "-c:v prores_ks -profile:v 0"), 24, 60);
}

TEST_CASE("AVI videos are frame-exact with every codec and frame order") {
  const std::string mpeg4 = "-c:v mpeg4 -q:v 2 -g 12";
  checkEveryFrame(countingVideo("plain.avi", "25", "64x48", 60, mpeg4), 25, 60);
  checkEveryFrame(countingVideo("between.avi", "25", "64x48", 60, mpeg4 + " -bf 2"), 25, 60);
  checkEveryFrame(countingVideo("between.mp4", "25", "64x48", 60, mpeg4 + " -bf 2"), 25, 60);
  checkEveryFrame(countingVideo("packed.avi", "30000/1001", "64x48", 60,
                                mpeg4 + " -bf 1 -vtag DX50 -bsf:v mpeg4_unpack_bframes"),
                  30000.0 / 1001, 60);
  checkEveryFrame(countingVideo("mjpeg.avi", "24", "64x48", 60, "-c:v mjpeg -q:v 2"), 24, 60);
  checkEveryFrame(countingVideo("h264.avi", "30", "64x48", 60, kH264 + " -g 12"), 30, 60);
}

TEST_CASE("seeking in a long video does not decode everything before") {
  const std::string path = fixture::media(
      "long.mp4",
      "-f lavfi -i \"color=gray:s=64x48:r=10,format=yuv420p,geq=lum='20+2*mod(N,100)':cb=128:cr=128\" "
      "-frames:v 900 -colorspace bt709 -color_range tv -c:v libx264 -crf 4 -g 20");
  auto decoder = opened(path);
  CHECK(numberAt(*decoder, 75.0) == 50);
  CHECK(numberAt(*decoder, 10.1) == 1);
  CHECK(numberAt(*decoder, 89.9) == 99);
}

TEST_CASE("a video with a variable frame rate shows the latest due frame") {
  const std::string path = countingVideo("vfr.mp4", "25", "64x48", 60,
                                         "-vf \"select='not(between(n,10,19))'\" -vsync vfr " + kH264);
  auto decoder = opened(path);
  CHECK(numberAt(*decoder, 9 / 25.0) == 9);
  CHECK(numberAt(*decoder, 15 / 25.0) == 9);
  CHECK(numberAt(*decoder, 20 / 25.0) == 20);
}

TEST_CASE("a video next to audio with priming keeps its times") {
  const std::string path = fixture::media(
      "primed.webm",
      "-f lavfi -i \"color=gray:s=64x48:r=30,format=yuv420p,geq=lum='20+2*N':cb=128:cr=128\" -f lavfi "
      "-i sine=d=2 -t 2 -colorspace bt709 -color_range tv -c:v libvpx-vp9 -crf 4 -b:v 0 "
      "-deadline realtime -cpu-used 8 -c:a libopus");
  auto decoder = opened(path);
  for (int k = 0; k < 60; ++k) CHECK(numberAt(*decoder, k / 30.0) == k);
}

TEST_CASE("the image pointer is stable while the image does not change") {
  auto decoder = opened(countingVideo("v25.mp4", "25", "64x48", 60, kH264 + " -g 12"));
  const ImagePtr first = decoder->frameAt(100'000).take();
  CHECK(decoder->frameAt(110'000).take() == first);
  CHECK(decoder->frameAt(130'000).take() != first);
}

TEST_CASE("odd sizes, ten bits and 4:4:4 become eight-bit 4:2:0 of the same size") {
  const std::string vp9 = "-c:v libvpx-vp9 -crf 4 -b:v 0 -deadline realtime -cpu-used 8 -pix_fmt yuv420p";
  const std::string ten = "-c:v libx264 -crf 4 -pix_fmt yuv420p10le",
                    full = "-c:v libx264 -crf 4 -pix_fmt yuv444p";
  for (const auto& [name, size, width, height, encode] :
       {std::tuple{std::string("odd420.webm"), std::string("65x49"), 65, 49, vp9},
        {"odd444.mkv", "65x49", 65, 49, full},
        {"ten.mkv", "66x50", 66, 50, ten}}) {
    CAPTURE(name);
    auto decoder = opened(countingVideo(name, "25", size, 20, encode));
    const ImagePtr frame = decoder->frameAt(200'000).take();
    CHECK(frame->format() == PixelFormat::kI420);
    CHECK(frame->width() == width);
    CHECK(frame->height() == height);
    CHECK(frameNumber(*frame) == 5);
  }
}

TEST_CASE("untagged standard definition is BT.601, tagged BT.709 is unchanged") {
  const std::string red = "-f lavfi -i color=0xC03020:s=64x48:r=25:d=0.2 ";
  const auto decode = [](const std::string& path) { return opened(path)->frameAt(0).take(); };
  const auto near = [](const fixture::Rgb& pixel) {
    CHECK(std::abs(pixel.r - 0xC0) <= 4);
    CHECK(std::abs(pixel.g - 0x30) <= 4);
    CHECK(std::abs(pixel.b - 0x20) <= 4);
  };
  near(fixture::pixelAt(
      *decode(fixture::media("sd.mkv", red + "-vf scale=out_color_matrix=bt601 -c:v libx264 -crf 2 "
                                             "-pix_fmt yuv420p")),
      30, 20));
  near(fixture::pixelAt(
      *decode(fixture::media("tagged.mkv", red + "-vf scale=out_color_matrix=bt709 -colorspace bt709 "
                                                 "-c:v libx264 -crf 2 -pix_fmt yuv420p")),
      30, 20));
  near(fixture::pixelAt(
      *decode(fixture::media("full.mkv", red + "-vf scale=out_color_matrix=bt601:out_range=pc "
                                               "-color_range pc -c:v libx264 -crf 2 -pix_fmt yuvj420p")),
      30, 20));
}

TEST_CASE("rotation metadata is applied") {
  // Four different quadrants, as stored. ffmpeg's rotation is the reference.
  const std::string stored =
      fixture::media("stored.mp4",
                     "-f lavfi -i \"color=black:s=64x32:r=25:d=0.4,format=yuv420p,"
                     "geq=lum='40+60*gte(X,32)+100*gte(Y,16)':cb='100+50*gte(X,16)':cr='90+70*gte(Y,8)'\" "
                     "-c:v libx264 -crf 1 -colorspace bt709 -color_range tv");
  for (const std::string degrees : {"90", "180", "270"}) {
    CAPTURE(degrees);
    const std::string path = fixture::media("turned" + degrees + ".mp4",
                                            "-i '" + stored + "' -c copy -metadata:s:v:0 rotate=" + degrees);
    const bool swapped = degrees != "180";
    const int width = swapped ? 32 : 64, height = swapped ? 64 : 32;
    const std::vector<uint8_t> expected = fixture::readFile(fixture::media(
        "turned" + degrees + ".yuv", "-i '" + path + "' -frames:v 1 -f rawvideo -pix_fmt yuv420p"));
    const ImagePtr frame = opened(path)->frameAt(0).take();
    REQUIRE(frame->width() == width);
    REQUIRE(frame->height() == height);
    REQUIRE(expected.size() == static_cast<size_t>(width * height * 3 / 2));
    int differing = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        differing += frame->plane(0).data[y * frame->plane(0).stride + x] !=
                     expected[static_cast<size_t>(y * width + x)];
      }
    }
    CHECK(differing == 0);
    // Chroma is shifted by half a luma pixel, so it is compared away from the edges.
    for (int p = 1; p < 3; ++p) {
      const size_t offset = static_cast<size_t>(width * height * (p + 3) / 4);
      for (int y : {2, height / 2 - 3}) {
        for (int x : {2, width / 2 - 3}) {
          const int seen = frame->plane(p).data[y * frame->plane(p).stride + x];
          CHECK(std::abs(seen - expected[offset + static_cast<size_t>(y * width / 2 + x)]) <= 3);
        }
      }
    }
    const MediaMetadata metadata = probe(path).take();
    CHECK(metadata.width == width);
    CHECK(metadata.height == height);
  }
}

TEST_CASE("alpha is decoded as straight RGBA") {
  const std::string source =
      "-f lavfi -i \"color=red:s=64x48:r=25:d=0.4,format=yuva420p,"
      "geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='if(lt(X,32),0,255)'\" ";
  for (const std::string& path :
       {fixture::media("alpha.webm",
                       source + "-c:v libvpx-vp9 -pix_fmt yuva420p -crf 4 -b:v 0 -auto-alt-ref 0"),
        fixture::media("alpha.mov", source + "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le"),
        fixture::media("animation-alpha.mov", source + "-c:v qtrle -pix_fmt argb"),
        fixture::media("png-alpha.mov", source + "-c:v png -pix_fmt rgba"),
        fixture::media("cineform-alpha.mov", source + "-c:v cfhd -pix_fmt gbrap12le"),
        fixture::media("alpha.mkv", source + "-c:v ffv1 -pix_fmt bgra"),
        fixture::media("alpha.avi", source + "-c:v utvideo -pix_fmt gbrap")}) {
    CAPTURE(path);
    const ImagePtr frame = opened(path)->frameAt(0).take();
    REQUIRE(frame->format() == PixelFormat::kRgbaStraight);
    CHECK(fixture::pixelAt(*frame, 8, 24).a < 8);
    CHECK(fixture::pixelAt(*frame, 56, 24).a > 247);
    CHECK(fixture::pixelAt(*frame, 56, 24).r > 240);
  }
}

TEST_CASE("a truncated video fails where frames are missing, not before") {
  const std::string whole = fixture::media(
      "whole.mp4", "-f lavfi -i testsrc2=s=320x240:r=5:d=12 -c:v libx264 -g 5 -movflags +faststart");
  std::vector<uint8_t> bytes = fixture::readFile(whole);
  bytes.resize(bytes.size() / 2);
  const std::string path = fixture::path("cut-front.mp4");
  fixture::writeFile(path, bytes);
  auto decoder = opened(path);
  if (auto early = decoder->frameAt(200'000); !early.ok()) FAIL(early.error().message);
  CHECK(decoder->frameAt(3'000'000).ok());
  const auto late = decoder->frameAt(11'000'000);
  REQUIRE(!late.ok());
  CHECK(late.error().code == ErrorCode::DECODE_FAILED);
  CHECK(late.error().message.find("truncated") != std::string::npos);
}

TEST_CASE("cancelling stops a decoder") {
  CancelToken cancel;
  auto decoder =
      VideoDecoder::open(countingVideo("v25.mp4", "25", "64x48", 60, kH264 + " -g 12"), 1, cancel).take();
  cancel.cancel();
  const auto frame = decoder->frameAt(0);
  REQUIRE(!frame.ok());
  CHECK(frame.error().code == ErrorCode::CANCELLED);
}
