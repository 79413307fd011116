#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "compositor/compositor.h"
#include "libav/media_fixture.h"
#include "render/render.h"
#include "sanitizers.h"
#include "timeline/draw_list.h"

using namespace framewright;

namespace {

const CancelToken never;

// Rectangles that alternate between standing and moving. While all stand, the frames are a still span.
Timeline alternatingTimeline(std::mt19937& random) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  static const std::vector<std::pair<int, int>> sizes{
      {64, 48}, {130, 94}, {176, 144}, {322, 182}, {640, 360}};
  static const std::vector<Rational> rates{{25, 1}, {30, 1}, {30000, 1001}, {60, 1}, {10, 1}};
  static const std::vector<std::string> presets{"veryfast", "veryfast", "superfast",
                                                "faster",   "medium",   "ultrafast"};
  Timeline timeline;
  const auto size = sizes[static_cast<size_t>(pick(0, static_cast<int>(sizes.size()) - 1))];
  timeline.width = size.first;
  timeline.height = size.second;
  timeline.fps = rates[static_cast<size_t>(pick(0, static_cast<int>(rates.size()) - 1))];
  timeline.encode.preset = presets[static_cast<size_t>(pick(0, static_cast<int>(presets.size()) - 1))];
  timeline.encode.crf = pick(8, 22);
  timeline.encode.keyframeSeconds = pick(0, 1) == 0 ? 5 : 0.7;
  timeline.encode.stillKeyframeSeconds = pick(0, 1) == 0 ? 10 : 0.5;
  int64_t frames = 0;
  std::vector<std::pair<int64_t, int64_t>> moves;
  for (int k = pick(2, 6); k > 0; --k) {
    frames += pick(0, 3) == 0 ? pick(1, 12) : pick(10, 120);
    const int64_t length = pick(0, 4) == 0 ? 1 : pick(2, 40);
    moves.emplace_back(frames, length);
    frames += length;
  }
  if (pick(0, 1) == 0) frames += pick(1, 200);
  timeline.frames = frames;
  Section section;
  section.label = "scene_1";
  section.frames = frames;
  section.background = {30, 60, 90, 255};
  for (int id = 0; id < 6; ++id) {
    Clip clip;
    clip.id = id;
    clip.fill = Color{static_cast<uint8_t>(pick(0, 255)), static_cast<uint8_t>(pick(0, 255)),
                      static_cast<uint8_t>(pick(0, 255)), static_cast<uint8_t>(pick(90, 255))};
    clip.frames = frames;
    clip.box = {pick(0, timeline.width) * 0.7, pick(0, timeline.height) * 0.7, timeline.width * 0.3,
                timeline.height * 0.25};
    clip.rotation.constant = pick(0, 1) * pick(0, 90);
    double x = 0;
    clip.x.keyframes.push_back({0, x, {}});
    for (const auto& [start, length] : moves) {
      clip.x.keyframes.push_back({static_cast<double>(start), x, {}});
      x += pick(-40, 40);
      clip.x.keyframes.push_back({static_cast<double>(start + length), x, {}});
    }
    section.clips.push_back(clip);
  }
  timeline.sections.push_back(section);
  return timeline;
}

std::vector<uint8_t> bytesOf(const Image& image) {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 3; ++i) {
    const Plane& plane = image.plane(i);
    for (int y = 0; y < plane.height; ++y)
      bytes.insert(bytes.end(), plane.data + y * plane.stride, plane.data + y * plane.stride + plane.width);
  }
  return bytes;
}

std::vector<uint8_t> composed(const Timeline& timeline, int64_t frame) {
  static const auto compositor = createCpuCompositor();
  const auto image = Image::create(PixelFormat::kI420, timeline.width, timeline.height).take();
  REQUIRE(compositor->compose(drawListAt(timeline, frame), {}, *image).ok());
  return bytesOf(*image);
}

double psnr(const uint8_t* a, const uint8_t* b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum == 0 ? 100 : 10 * std::log10(255.0 * 255.0 * static_cast<double>(count) / sum);
}

struct Movie {
  std::string path;
  std::vector<uint8_t> frames;  // decoded, concatenated
  std::string warnings;         // of the decoder
  int64_t bytes = 0, encoded = 0;
};

Movie movieOf(const Timeline& timeline, const std::string& name, std::vector<int64_t> cuts = {}) {
  Movie movie;
  std::vector<std::string> segments;
  cuts.push_back(timeline.frames);
  int64_t first = 0;
  for (const int64_t cut : cuts) {
    segments.push_back(fixture::path(name + std::to_string(first) + ".nut"));
    const auto result = renderSegment(timeline, {first, cut}, segments.back(), {}, never);
    if (!result.ok()) FAIL(result.error().message << " " << result.error().detail);
    movie.encoded += result.value().encodedFrames;
    first = cut;
  }
  movie.path = fixture::path(name + ".mp4");
  const auto output = stitch({segments, "", movie.path}, never);
  if (!output.ok()) FAIL(output.error().message << " " << output.error().detail);
  movie.bytes = output.value().bytes;
  const std::string raw = fixture::path(name + ".yuv");
  movie.warnings = fixture::outputOf(
      "ffmpeg -y -nostdin -v warning -xerror -err_detect explode+crccheck+bitstream+buffer -i '" +
      movie.path + "' -f rawvideo -pix_fmt yuv420p '" + raw + "' 2>&1");
  std::ifstream file(raw, std::ios::binary);
  movie.frames.assign(std::istreambuf_iterator<char>(file), {});
  return movie;
}

void checkFrames(const Timeline& timeline, const Movie& movie, double bound) {
  CHECK(movie.warnings == "");
  const size_t size = static_cast<size_t>(timeline.width * timeline.height * 3 / 2);
  REQUIRE(movie.frames.size() == size * static_cast<size_t>(timeline.frames));
  for (int64_t k = 0; k < timeline.frames; ++k) {
    CAPTURE(k);
    const std::vector<uint8_t> wanted = composed(timeline, k);
    CHECK(psnr(movie.frames.data() + static_cast<size_t>(k) * size, wanted.data(), size) > bound);
  }
}

}  // namespace

TEST_CASE("still spans: every decoded frame resembles the composed one") {
  for (unsigned seed = 1; seed <= fewerWithSanitizers(18u); ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Timeline timeline = alternatingTimeline(random);
    CAPTURE(timeline.encode.preset);
    CAPTURE(timeline.frames);
    const std::vector<int64_t> cuts = seed % 3 == 0
                                          ? std::vector<int64_t>{timeline.frames / 3, timeline.frames / 2}
                                          : std::vector<int64_t>{};
    const Movie movie = movieOf(timeline, "alternating", cuts);
    const bool supportsStillSpans =
        timeline.encode.preset == "veryfast" || timeline.encode.preset == "superfast";
    if (supportsStillSpans) CHECK(movie.encoded < timeline.frames);
    checkFrames(timeline, movie, 30);
  }
}

namespace {

// One card, which moves for 20 frames from `movesAt` on.
Timeline cardTimeline(int64_t frames, int64_t movesAt = -1) {
  Timeline timeline;
  timeline.width = 320;
  timeline.height = 180;
  timeline.frames = frames;
  Section section;
  section.label = "scene_1";
  section.frames = frames;
  section.background = {40, 90, 140, 255};
  Clip clip;
  clip.fill = Color{240, 200, 20, 255};
  clip.frames = frames;
  clip.box = {20, 60, 60, 50};
  if (movesAt >= 0) {
    const auto start = static_cast<double>(movesAt);
    clip.x.keyframes = {{start, 0, {}}, {start + 20, 200, {}}};
  }
  section.clips.push_back(clip);
  timeline.sections.push_back(section);
  return timeline;
}

std::vector<double> keyTimes(const std::string& path) {
  std::istringstream text(fixture::outputOf(
      "ffprobe -v error -select_streams v -skip_frame nokey -show_entries frame=pts_time -of csv=p=0 '" +
      path + "' | tr -d ','"));
  return {std::istream_iterator<double>(text), {}};
}

}  // namespace

TEST_CASE("still spans: a still movie has one encoded frame, and key frames at the still interval") {
  Timeline timeline = cardTimeline(930);
  const Movie movie = movieOf(timeline, "card");
  CHECK(movie.encoded == 1);
  checkFrames(timeline, movie, 35);
  CHECK(keyTimes(movie.path) == std::vector<double>{0, 10, 20, 30});
  timeline.encode.stillKeyframeSeconds = 4;
  CHECK(keyTimes(movieOf(timeline, "often").path) == std::vector<double>{0, 4, 8, 12, 16, 20, 24, 28});
  // The last frame is not a key frame, which would equal the next segment's first one.
  CHECK(keyTimes(movieOf(cardTimeline(601), "round").path) == std::vector<double>{0, 10});
  timeline.encode.stillKeyframeSeconds = 0;
  CHECK(movieOf(timeline, "never").encoded == 930);
}

TEST_CASE("still spans: are as small as encoding every frame, at the same quality") {
  const Timeline timeline = cardTimeline(300, 140);
  Timeline encodedAgain = timeline;
  encodedAgain.encode.stillKeyframeSeconds = 0;
  const Movie still = movieOf(timeline, "still"), plain = movieOf(encodedAgain, "plain");
  CHECK(still.encoded < 40);
  CHECK(plain.encoded == 300);
  CHECK(still.bytes <= plain.bytes * 106 / 100);
  std::vector<uint8_t> wanted;
  for (int64_t k = 0; k < timeline.frames; ++k) {
    const std::vector<uint8_t> frame = composed(timeline, k);
    wanted.insert(wanted.end(), frame.begin(), frame.end());
  }
  REQUIRE(still.frames.size() == wanted.size());
  // Differences above 55 dB are invisible; with all frames encoded, x264 keeps refining.
  CHECK(psnr(still.frames.data(), wanted.data(), wanted.size()) >=
        std::min(55.0, psnr(plain.frames.data(), wanted.data(), wanted.size()) - 0.1));
}

TEST_CASE("still spans: seeking into and past a span finds the right frame") {
  const Timeline timeline = cardTimeline(400, 340);
  const Movie movie = movieOf(timeline, "seek");
  const size_t size = static_cast<size_t>(timeline.width * timeline.height * 3 / 2);
  for (const int64_t frame : {1, 149, 299, 300, 339, 341, 350, 399}) {
    CAPTURE(frame);
    const std::string raw = fixture::path("seek.yuv");
    const std::string at = std::to_string((static_cast<double>(frame) - 0.25) / 30);
    CHECK(fixture::outputOf("ffmpeg -y -nostdin -v warning -xerror -ss " + at + " -i '" + movie.path +
                            "' -frames:v 1 -f rawvideo '" + raw + "' 2>&1") == "");
    const std::vector<uint8_t> got = fixture::readFile(raw);
    REQUIRE(got.size() == size);
    CHECK(std::equal(got.begin(), got.end(), movie.frames.begin() + frame * static_cast<int64_t>(size)));
  }
}
