#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/decode/video_decoder.h"
#include "libav/media_fixture.h"
#include "render/playing_clip.h"
#include "render/render.h"

using namespace framewright;

// Slow motion with mixed frames: the brightness of a clip whose frames get brighter tells where in it a frame
// lies.
namespace {

const CancelToken never;
constexpr int kFrames = 75;
constexpr Rational kRate{25, 1};

const std::string& countingClip() {
  static const std::string path =
      fixture::countingVideo("blended.mp4", "25", "64x48", kFrames, fixture::kH264);
  return path;
}

Timeline playing(const MediaRange& media, int64_t frames, Rational fps = kRate) {
  return playingClip(countingClip(), media, frames, fps, 2);
}

// Positions in the clip, in its frames, that a movie rendered in segments which end at `cuts` shows.
std::vector<double> shownPositions(const Timeline& timeline, const std::vector<int64_t>& cuts) {
  return readMovie(timeline, "blended", cuts,
                   [](const Image& frame) { return (fixture::meanLuma(frame) - 20) / 2; });
}

MediaRange blended(double in, const SpeedCurve& speed) {
  MediaRange media;
  media.in = in;
  media.speed = speed;
  media.blendsFrames = true;
  return media;
}

void checkPositions(const Timeline& timeline, const std::function<double(int64_t)>& expected) {
  const std::vector<double> whole = shownPositions(timeline, {timeline.frames});
  const std::vector<double> cut = shownPositions(
      timeline, {timeline.frames / 5, timeline.frames / 5 + 1, timeline.frames / 2, timeline.frames});
  for (int64_t k = 0; k < timeline.frames; ++k) {
    CAPTURE(k);
    // A level of luma is half a frame.
    CHECK(std::abs(whole[static_cast<size_t>(k)] - expected(k)) < 0.6);
    CHECK(std::abs(whole[static_cast<size_t>(k)] - cut[static_cast<size_t>(k)]) < 0.3);
  }
}

}  // namespace

TEST_CASE("slow motion mixes the frames before and after each time, in any segments") {
  checkPositions(playing(blended(0.4, {0.25}), 100),
                 [](int64_t k) { return 10 + 0.25 * static_cast<double>(k); });
}

TEST_CASE("a clip with fewer frames than the movie is mixed at its own speed") {
  checkPositions(playing(blended(0, {1}), 150, {60, 1}),
                 [](int64_t k) { return static_cast<double>(k) * 25 / 60; });
}

TEST_CASE("a clip that plays backwards mixes the same frames as forwards") {
  MediaRange media = blended(0.4, {0.5});
  media.out = 2;
  media.isReversed = true;
  checkPositions(playing(media, 79),
                 [](int64_t k) { return std::clamp(50 - 0.5 * static_cast<double>(k), 10.0, 49.0); });
}

TEST_CASE("frames of a clip that is as fast as the movie or faster are not mixed") {
  // Times between frames, which would show two of them at once.
  for (const double speed : {1.0, 1.5}) {
    const std::vector<double> positions = shownPositions(playing(blended(0.013, {speed}), 30), {30});
    for (const double at : positions) CHECK(std::abs(at - std::round(at)) < 0.3);
  }
}

TEST_CASE("mixed frames end with the range, and a freeze shows a single frame") {
  MediaRange media = blended(0, {0.25});
  media.out = 0.4;  // frames 0 to 9
  const std::vector<double> ended = shownPositions(playing(media, 60), {60});
  for (size_t k = 36; k < 60; ++k) CHECK(std::abs(ended[k] - 9) < 0.3);
  const SpeedCurve stopping({{0, 0.25, 0.25}, {0.24, 0, 0}, {1, 0.25, 0.25}});
  const std::vector<double> frozen = shownPositions(playing(blended(0, stopping), 40), {40});
  for (size_t k = 7; k < 24; ++k) CHECK(std::abs(frozen[k] - 1) < 0.3);
}

TEST_CASE("the colours of transparent frames do not count in mixed ones") {
  const std::string path = fixture::media(
      "blended-alpha.mov",
      "-f lavfi -i color=red:s=64x64:r=5:d=0.2 -f lavfi -i color=blue@0:s=64x64:r=5:d=0.2,format=yuva444p "
      "-filter_complex '[0]format=yuva444p[a];[a][1]concat=n=2' -c:v prores_ks -profile:v 4444 -pix_fmt "
      "yuva444p10le");
  auto decoder = VideoDecoder::open(path, 1, never).take();
  const auto image = decoder->blendAt(100'000, 40'000, 1'000'000);
  REQUIRE(image.ok());
  // The colour of the transparent frame does not count.
  const fixture::Rgb pixel = fixture::pixelAt(*image.value(), 16, 16);
  CHECK(pixel.r > 245);
  CHECK(pixel.b < 10);
  CHECK(std::abs(pixel.a - 128) < 4);
}
