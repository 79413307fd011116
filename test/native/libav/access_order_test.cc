#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "libav/frame_checks.h"
#include "libav/media_fixture.h"
#include "sanitizers.h"

using namespace framewright;
using fixture::openedVideo;

namespace {

const std::string kMpeg2 = "-c:v mpeg2video -q:v 2 -g 12 -bf 2 -pix_fmt yuv420p";

// Some luma samples of a frame.
std::vector<int> samplesAt(VideoDecoder& decoder, int64_t timeUs) {
  auto frame = decoder.frameAt(timeUs);
  REQUIRE_MESSAGE(frame.ok(), timeUs, ": ", frame.error().message);
  const Plane& plane = frame.value()->plane(0);
  std::vector<int> samples;
  for (int i = 0; i < std::min(60, plane.height); ++i) samples.push_back(plane.data[i * plane.stride + i]);
  return samples;
}

}  // namespace

TEST_CASE("MPEG-PS frames are found backwards, also where many share a packet") {
  for (const std::string size : {"64x48", "320x240", "640x360"}) {
    for (const std::string source : {"testsrc2", "color"}) {
      CAPTURE(size);
      CAPTURE(source);
      const std::string path = fixture::media("backwards-" + size + source + ".mpg",
                                              "-f lavfi -i \"" + source + "=s=" + size +
                                                  ":r=24:d=4\" -f lavfi -i sine=d=4 " + kMpeg2 + " -c:a mp2");
      const auto decoder = openedVideo(path);
      std::vector<std::vector<int>> forwards;
      for (int k = 0; k < 96; ++k) forwards.push_back(samplesAt(*decoder, k * 1'000'000 / 24));
      for (int k = 95; k >= 0; --k)
        CHECK_MESSAGE(samplesAt(*decoder, k * 1'000'000 / 24) == forwards[static_cast<size_t>(k)], k);
    }
  }
}

TEST_CASE("frames are the same in any order, in every container") {
  const std::string h264 = "-c:v libx264 -pix_fmt yuv420p -g 30 -bf 2 ";
  constexpr int kFrames = 50;
  std::mt19937 random(5);
  for (const auto& [name, encode] : std::vector<std::pair<std::string, std::string>>{
           {"o1.avi", "-c:v mpeg4 -bf 2 -q:v 3 -c:a libmp3lame"},
           {"o2.avi", h264 + "-c:a libmp3lame"},
           {"o3.mkv", h264 + "-c:a aac"},
           {"o4.mp4", h264 + "-c:a aac"},
           {"o5.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 40 -c:a libopus"},
           {"o6.webm", "-c:v libvpx -deadline realtime -cpu-used 8 -g 40 -c:a libvorbis"},
           {"o7.mpg", kMpeg2 + " -c:a mp2"},
           {"o8.ts", h264 + "-c:a aac"},
           {"o9.ts", kMpeg2 + " -c:a mp2"},
           {"o10.flv", h264 + "-c:a aac"},
           {"o11.flv", "-c:v flv1 -q:v 3 -c:a libmp3lame -ar 44100"},
           {"o12.wmv", "-c:v wmv2 -q:v 3 -c:a wmav2"},
           {"o13.mov", "-c:v mjpeg -q:v 3 -c:a pcm_s16le"},
           {"o14.mpg", "-c:v mpeg1video -q:v 2 -g 12 -bf 2 -c:a mp2"},
           {"o15.ts",
            "-c:v libx265 -crf 4 -pix_fmt yuv420p -x265-params log-level=none:keyint=12:bframes=2 -c:a aac"},
           {"o16.ogv", "-c:v libtheora -q:v 6 -g 20 -c:a libvorbis"},
           {"o17.mkv", "-c:v ffv1 -c:a flac"},
           {"o18.mp4", "-c:v libsvtav1 -preset 10 -g 40 -c:a aac"},
           {"o19.mp4", h264 + "-x264-params open-gop=1 -c:a aac -movflags frag_keyframe+empty_moov"},
           {"o20.mkv", h264 + "-x264-params open-gop=1:bframes=5:b-pyramid=normal -c:a aac"},
           {"o21.ts", h264 + "-x264-params open-gop=1:bframes=5 -c:a aac"}}) {
    for (const std::string source : {"testsrc2", "color"}) {
      CAPTURE(name);
      CAPTURE(source);
      const std::string path = fixture::media(
          source + name, "-f lavfi -i \"" + source + "=s=96x64:r=25:d=2\" -f lavfi -i sine=d=2 " + encode);
      auto decoder = openedVideo(path);
      const auto samplesOf = [&](int k) { return samplesAt(*decoder, k * 40'000 + 5'000); };
      std::vector<std::vector<int>> forwards;
      for (int k = 0; k < kFrames; ++k) forwards.push_back(samplesOf(k));
      for (int n = 0; n < fewerWithSanitizers(40); ++n) {
        const int k = static_cast<int>(random() % kFrames);
        if (n % 10 == 0) decoder = openedVideo(path);
        CHECK_MESSAGE(samplesOf(k) == forwards[static_cast<size_t>(k)], k);
      }
    }
  }
}
