#include "libav/decode/deinterlacer.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/frame_checks.h"
#include "libav/media_fixture.h"

using namespace framewright;

namespace {

constexpr int kWidth = 96, kHeight = 64, kFrames = 24;
constexpr size_t kFrameBytes = kWidth * kHeight * 3 / 2;

const CancelToken never;

// Moving shapes at 50 fields a second, woven into 25 frames.
std::string interlaced(const std::string& name, bool isTopFirst, const std::string& encode) {
  const std::string mode = isTopFirst ? "interleave_top" : "interleave_bottom";
  return fixture::media(name, "-f lavfi -i testsrc2=s=96x64:r=50 -vf tinterlace=mode=" + mode +
                                  ",setfield=" + (isTopFirst ? "tff" : "bff") + ",format=yuv420p -frames:v " +
                                  std::to_string(kFrames) + " -colorspace bt709 -color_range tv " + encode);
}

std::string x264(bool isTopFirst) {
  return std::string("-c:v libx264 -crf 10 -bf 2 -flags +ilme+ildct -x264-params ") +
         (isTopFirst ? "tff=1" : "bff=1");
}

// Decoded by the ffmpeg program through its filter: planar 4:2:0, frame after frame.
std::vector<uint8_t> filtered(const std::string& path, const std::string& filter) {
  const std::string raw = path + ".raw";
  fixture::outputOf("ffmpeg -v error -nostdin -y -i '" + path + "' -vf " + filter +
                    " -vsync passthrough -pix_fmt yuv420p -f rawvideo '" + raw + "'");
  return fixture::readFile(raw);
}

std::unique_ptr<VideoDecoder> opened(const std::string& path, Deinterlace deinterlace) {
  auto decoder = VideoDecoder::open(path, 2, never, DecodeOptions{HardwareDecode::kOff, 0, deinterlace});
  if (!decoder.ok()) FAIL(decoder.error().message);
  return decoder.take();
}

std::vector<uint8_t> samplesOf(const Image& image) {
  std::vector<uint8_t> samples;
  for (int i = 0; i < 3; ++i) {
    const Plane& plane = image.plane(i);
    for (int y = 0; y < plane.height; ++y) {
      const uint8_t* row = plane.data + y * plane.stride;
      samples.insert(samples.end(), row, row + plane.width);
    }
  }
  return samples;
}

// Compares the images at the times of a rate with raw frames, bit for bit.
void checkFrames(VideoDecoder& decoder, double rate, const std::vector<uint8_t>& expected, size_t count) {
  REQUIRE(expected.size() == count * kFrameBytes);
  for (size_t k = 0; k < count; ++k) {
    CAPTURE(k);
    const ImagePtr image = decoder.frameAt(std::llround(static_cast<double>(k) / rate * 1e6)).take();
    REQUIRE(image->width() == kWidth);
    const std::vector<uint8_t> samples = samplesOf(*image);
    CHECK(std::memcmp(samples.data(), expected.data() + k * kFrameBytes, kFrameBytes) == 0);
  }
}

}  // namespace

TEST_CASE("fields that are marked as interlaced equal those of ffmpeg's bwdif filter") {
  for (const bool isTopFirst : {true, false}) {
    CAPTURE(isTopFirst);
    const std::string order = isTopFirst ? "tff" : "bff";
    for (const auto& [name, encode] :
         {std::pair{order + ".mp4", x264(isTopFirst)}, std::pair{order + ".mkv", x264(isTopFirst)},
          std::pair{order + ".ts", std::string("-c:v mpeg2video -q:v 3 -bf 2 -flags +ilme+ildct")}}) {
      CAPTURE(name);
      const std::string path = interlaced(name, isTopFirst, encode);
      const auto expected = filtered(path, "bwdif");
      checkFrames(*opened(path, Deinterlace::kAuto), 50, expected, 2 * kFrames);
    }
  }
}

TEST_CASE("a seek returns the same fields as playing from the start") {
  const std::string path = interlaced("seek.mp4", true, x264(true) + " -g 6");
  auto played = opened(path, Deinterlace::kAuto), sought = opened(path, Deinterlace::kAuto);
  std::vector<std::vector<uint8_t>> fields;
  for (int k = 0; k < 2 * kFrames; ++k) fields.push_back(samplesOf(*played->frameAt(k * 20'000).take()));
  for (const int k : {40, 11, 12, 30, 3}) {
    CAPTURE(k);
    CHECK(samplesOf(*sought->frameAt(k * 20'000).take()) == fields[static_cast<size_t>(k)]);
  }
}

TEST_CASE("deinterlacing can be turned off, and on for frames that are not marked") {
  const std::string marked = interlaced("off.mp4", true, x264(true));
  checkFrames(*opened(marked, Deinterlace::kOff), 25, filtered(marked, "null"), kFrames);

  const std::string unmarked = interlaced("unmarked.mp4", true, "-c:v libx264 -crf 10 -bf 2");
  checkFrames(*opened(unmarked, Deinterlace::kAuto), 25, filtered(unmarked, "null"), kFrames);
  checkFrames(*opened(unmarked, Deinterlace::kOn), 50, filtered(unmarked, "bwdif=parity=tff"), 2 * kFrames);
}

TEST_CASE("frames of ten bits and 4:2:2 are deinterlaced at their own depth") {
  const std::string path =
      fixture::media("ten-fields.mkv",
                     "-f lavfi -i testsrc2=s=96x64:r=50 -vf tinterlace=mode=interleave_top,setfield=tff "
                     "-frames:v 12 -pix_fmt yuv422p10le -colorspace bt709 -color_range tv " +
                         x264(true));
  auto decoder = opened(path, Deinterlace::kAuto);
  const auto expected = filtered(path, "bwdif,scale=sws_flags=bicubic+accurate_rnd");
  REQUIRE(expected.size() == 24 * kFrameBytes);
  for (size_t k = 1; k < 23; ++k) {
    CAPTURE(k);
    const auto samples = samplesOf(*decoder->frameAt(static_cast<int64_t>(k) * 20'000).take());
    int largest = 0;
    // ffmpeg 5.1 mirrors rows at the edges differently at more than 8 bits.
    for (size_t i = 8 * kWidth; i < (kHeight - 8) * kWidth; ++i)
      largest = std::max(largest, std::abs(samples[i] - expected[k * kFrameBytes + i]));
    CHECK(largest <= 2);
  }
}
