#include "render/render.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "libav/decode/video_decoder.h"
#include "libav/media_fixture.h"
#include "render/sources/decoder_cache.h"
#include "render/sources/video_reader.h"

using namespace framewright;
namespace fs = std::filesystem;

namespace {

const CancelToken never;
constexpr int kWidth = 64, kHeight = 48;

Clip fullCanvas(int id, int source, int64_t start, int64_t frames) {
  Clip clip;
  clip.id = id;
  clip.source = source;
  clip.start = start;
  clip.frames = frames;
  clip.box = {0, 0, kWidth, kHeight};
  return clip;
}

Timeline emptyTimeline(int64_t frames, Rational fps = {30, 1}) {
  Timeline timeline;
  timeline.width = kWidth;
  timeline.height = kHeight;
  timeline.fps = fps;
  timeline.frames = frames;
  timeline.encode.crf = 4;
  timeline.encode.preset = "veryfast";
  Section section;
  section.label = "scene_1";
  section.frames = frames;
  section.background = {0, 0, 0, 255};
  timeline.sections.push_back(section);
  return timeline;
}

Timeline videoTimeline(const std::string& path, int64_t frames, Rational fps, MediaRange media = {}) {
  Timeline timeline = emptyTimeline(frames, fps);
  timeline.sources.push_back({SourceKind::kVideo, path, "scenes.0.elements.0"});
  Clip clip = fullCanvas(1, 0, 0, frames);
  clip.media = media;
  timeline.sections[0].clips.push_back(clip);
  return timeline;
}

SegmentResult rendered(const Timeline& timeline, FrameRange range, const std::string& path) {
  const auto result = renderSegment(timeline, range, path, {}, never);
  if (!result.ok()) FAIL(result.error().message << " " << result.error().detail);
  return result.value();
}

// Renders and stitches; returns the counting video's frame numbers as decoded from the MP4.
std::vector<int> frameNumbers(const Timeline& timeline, const std::string& name) {
  const std::string segment = fixture::path(name + ".nut"), movie = fixture::path(name + ".mp4");
  rendered(timeline, {0, timeline.frames}, segment);
  REQUIRE(stitch({{segment}, "", movie}, never).ok());
  auto decoder = VideoDecoder::open(movie, 1, never).take();
  std::vector<int> numbers;
  for (int64_t k = 0; k < timeline.frames; ++k) {
    const double seconds = static_cast<double>(k * timeline.fps.den) / static_cast<double>(timeline.fps.num);
    numbers.push_back(fixture::frameNumber(*decoder->frameAt(std::llround(seconds * 1e6)).take()));
  }
  return numbers;
}

std::vector<int> counted(std::initializer_list<std::pair<int, int>> runs) {
  std::vector<int> numbers;
  for (const auto& [from, count] : runs) {
    for (int i = 0; i < count; ++i) numbers.push_back(from + i);
  }
  return numbers;
}

std::string counting25() {
  return fixture::countingVideo("r25.mp4", "25", "64x48", 60, fixture::kH264 + " -g 12");
}

std::string probed(const std::string& entries, const std::string& path, const std::string& more = "") {
  return fixture::outputOf("ffprobe -v error -of csv=p=0 " + more + " -show_entries " + entries + " '" +
                           path + "'");
}

std::string decodedHash(const std::string& path) {
  return fixture::outputOf("ffmpeg -v error -nostdin -i '" + path + "' -map 0:v -f md5 -");
}

}  // namespace

TEST_CASE("render: a video clip plays frame by frame, loops over its range and holds its last frame") {
  const std::string path = counting25();
  CHECK(frameNumbers(videoTimeline(path, 50, {25, 1}), "plain") == counted({{0, 50}}));
  CHECK(frameNumbers(videoTimeline(path, 30, {25, 1}, {1.0, std::nullopt, 1}), "in") == counted({{25, 30}}));
  CHECK(frameNumbers(videoTimeline(path, 30, {25, 1}, {0.4, 0.8, 3}), "loops") ==
        counted({{10, 10}, {10, 10}, {10, 10}}));
  CHECK(frameNumbers(videoTimeline(path, 25, {25, 1}, {0.4, 0.8, 1}), "hold")[24] == 19);
  CHECK(frameNumbers(videoTimeline(path, 25, {25, 1}, {2.0, std::nullopt, -1}), "endless") ==
        counted({{50, 10}, {50, 10}, {50, 5}}));
}

TEST_CASE("render: a section rendered in several segments shows the same frames as in one") {
  const Timeline timeline = videoTimeline(counting25(), 60, {30, 1}, {0.2, 1.0, -1});
  const std::vector<int> whole = frameNumbers(timeline, "whole");
  std::vector<std::string> segments;
  for (int k = 0; k < 3; ++k) {
    segments.push_back(fixture::path("part" + std::to_string(k) + ".nut"));
    rendered(timeline, {k * 20, k * 20 + 20}, segments.back());
    // The next segment reuses the decoder.
    CHECK(DecoderCache::ofProcess().size() == (k < 2 ? 1 : 0));
  }
  const std::string movie = fixture::path("segments.mp4");
  REQUIRE(stitch({segments, "", movie}, never).ok());
  auto decoder = VideoDecoder::open(movie, 1, never).take();
  for (int k = 0; k < 60; ++k) {
    CAPTURE(k);
    CHECK(fixture::frameNumber(*decoder->frameAt(k * 1'000'000LL / 30).take()) ==
          whole[static_cast<size_t>(k)]);
  }
}

TEST_CASE("render: unchanged frames are composed once") {
  Timeline timeline = emptyTimeline(60);
  CHECK(rendered(timeline, {0, 60}, fixture::path("still.nut")).composedFrames == 1);
  // A 10 fps video on a 30 fps canvas changes every third frame.
  const std::string slow = fixture::countingVideo("slow.mp4", "10", "64x48", 20, fixture::kH264);
  const SegmentResult result = rendered(videoTimeline(slow, 60, {30, 1}), {0, 60}, fixture::path("slow.nut"));
  CHECK(result.frames == 60);
  CHECK(result.composedFrames == 20);
}

TEST_CASE("stitch: the movie has exact metadata, tags and frames") {
  struct Rate {
    Rational fps;
    std::string text;
    std::string seconds;
  };
  for (const Rate& rate : {Rate{{30, 1}, "30/1", "2.000000"}, Rate{{30000, 1001}, "30000/1001", "2.002000"},
                           Rate{{25, 1}, "25/1", "2.400000"}, Rate{{60, 1}, "60/1", "1.000000"}}) {
    CAPTURE(rate.text);
    Timeline timeline = videoTimeline(counting25(), 60, rate.fps);
    const std::string sine = fixture::media(
        "sine.wav", "-f lavfi -i \"aevalsrc=0.5*sin(2*PI*440*t):s=48000:d=4:c=stereo\" -c:a pcm_f32le");
    timeline.sources.push_back({SourceKind::kAudio, sine, "elements.0"});
    timeline.audio.push_back({1, 0, 60, {1, {}}, 0, 0, {}});

    std::vector<std::string> segments;
    const int64_t cuts[] = {0, 1, 20, 60};  // a segment of one frame has no B-frames but the same headers
    std::string hashes;
    for (int k = 0; k < 3; ++k) {
      segments.push_back(fixture::path("s" + std::to_string(k) + ".nut"));
      rendered(timeline, {cuts[k], cuts[k + 1]}, segments.back());
    }
    const std::string audio = fixture::path("a.nut"), movie = fixture::path("movie.mp4");
    REQUIRE(renderAudio(timeline, audio, {}, never).ok());
    const auto result = stitch({segments, audio, movie}, never);
    REQUIRE(result.ok());
    CHECK(result.value().frames == 60);
    CHECK(result.value().bytes == static_cast<int64_t>(fs::file_size(movie)));
    CHECK(!fs::exists(movie + ".part"));

    CHECK(probed("stream=r_frame_rate,avg_frame_rate,nb_read_frames", movie,
                 "-select_streams v -count_frames") == rate.text + "," + rate.text + ",60");
    CHECK(probed("stream=codec_name,profile,pix_fmt,color_range,color_space,color_transfer,color_primaries,"
                 "chroma_location",
                 movie, "-select_streams v") == "h264,High,yuv420p,tv,bt709,bt709,bt709,left");
    CHECK(probed("stream=start_time,duration", movie, "-select_streams v") == "0.000000," + rate.seconds);
    CHECK(probed("stream=codec_name,sample_rate,channels,start_time,duration", movie, "-select_streams a") ==
          "aac,48000,2,0.000000," + rate.seconds);
    // All frames have the same duration.
    const std::string durations = probed("packet=duration_time", movie, "-select_streams v");
    CHECK(durations.find('\n') != std::string::npos);
    CHECK(fixture::outputOf("printf '%s\\n' '" + durations + "' | sort -u | wc -l") == "1");
    // The moov atom comes first and contains colr.
    const std::vector<uint8_t> bytes = fixture::readFile(movie);
    const std::string text(bytes.begin(), bytes.end());
    CHECK(text.find("moov") < text.find("mdat"));
    CHECK(text.find("colrnclx") < text.find("mdat"));

    // The movie decodes to the same frames as its segments.
    std::string list = fixture::path("raw");
    fixture::outputOf("rm -f '" + list + "'");
    for (const std::string& segment : segments) {
      fixture::outputOf("ffmpeg -v error -nostdin -i '" + segment +
                        "' -fps_mode passthrough -f rawvideo - >> '" + list + "'");
    }
    CHECK(decodedHash(movie) ==
          fixture::outputOf("ffmpeg -v error -nostdin -f rawvideo -s 64x48 -i '" + list + "' -f md5 -"));
  }
}

TEST_CASE("stitch: audio starts at its sample and is as long as the video") {
  Timeline timeline = emptyTimeline(90);
  const std::string sine = fixture::media(
      "tone.wav", "-f lavfi -i \"aevalsrc=0.5*sin(2*PI*440*t):s=48000:d=4:c=stereo\" -c:a pcm_f32le");
  timeline.sources.push_back({SourceKind::kAudio, sine, "elements.0"});
  timeline.audio.push_back({0, 30, 30, {1, {}}, 0, 0, {}});  // from 1 s to 2 s
  const std::string segment = fixture::path("tone-v.nut"), audio = fixture::path("tone-a.nut"),
                    movie = fixture::path("tone.mp4"), raw = fixture::path("tone.raw");
  rendered(timeline, {0, 90}, segment);
  REQUIRE(renderAudio(timeline, audio, {}, never).ok());
  REQUIRE(stitch({{segment}, audio, movie}, never).ok());
  fixture::outputOf("ffmpeg -v error -nostdin -y -i '" + movie +
                    "' -map 0:a -af 'pan=mono|c0=c0' -f f32le '" + raw + "'");
  const std::vector<uint8_t> bytes = fixture::readFile(raw);
  std::vector<float> sound(bytes.size() / 4);
  std::memcpy(sound.data(), bytes.data(), sound.size() * 4);
  REQUIRE(sound.size() >= 144000);
  double cosine = 0, sine2 = 0, before = 0, after = 0;
  for (size_t i = 0; i < 46000; ++i) before = std::max<double>(before, std::fabs(sound[i]));
  for (size_t i = 98000; i < 144000; ++i) after = std::max<double>(after, std::fabs(sound[i]));
  for (size_t i = 0; i < 24000; ++i) {
    const double phase = 2 * M_PI * 440 * static_cast<double>(12000 + i) / 48000;
    sine2 += sound[60000 + i] * std::sin(phase);
    cosine += sound[60000 + i] * std::cos(phase);
  }
  CHECK(before < 0.01);
  CHECK(after < 0.01);
  CHECK(std::fabs(std::atan2(cosine, sine2) / (2 * M_PI * 440) * 48000) < 0.2);
  CHECK(2 * std::hypot(sine2, cosine) / 24000 == doctest::Approx(0.5).epsilon(0.02));
}

TEST_CASE("render: media times fold into the passes of a range") {
  const MediaRange once{1, std::nullopt, 1}, twice{1, 3, 2}, endless{0, std::nullopt, -1};
  CHECK(foldIntoRange(once, 2'000'000, 5'000'000) == 2'000'000);
  CHECK(foldIntoRange(once, 9'000'000, 5'000'000) < 5'000'000);
  CHECK(foldIntoRange(twice, 3'500'000, 5'000'000) == 1'500'000);
  CHECK(foldIntoRange(twice, 5'500'000, 5'000'000) < 3'000'000);
  CHECK(foldIntoRange(twice, 5'500'000, 5'000'000) > 2'990'000);
  CHECK(foldIntoRange(endless, 333'333 * 30, 333'333) < 333'333);
  CHECK(foldIntoRange({8, std::nullopt, -1}, 9'000'000, 5'000'000) == 8'000'000);
}

TEST_CASE("render: an error names the source's label, and no file remains") {
  const std::string text = fixture::path("not-a-video.mp4");
  fixture::writeFile(text, {'h', 'e', 'l', 'l', 'o', ' ', 't', 'h', 'e', 'r', 'e'});
  const std::string path = fixture::path("failed.nut");
  const auto result = renderSegment(videoTimeline(text, 30, {30, 1}), {0, 30}, path, {}, never);
  REQUIRE(!result.ok());
  CHECK(result.error().message.rfind("scenes.0.elements.0: ", 0) == 0);
  CHECK(result.error().code == ErrorCode::MEDIA_UNSUPPORTED);
  CHECK(!fs::exists(path));

  Timeline sound = emptyTimeline(30);
  sound.sources.push_back({SourceKind::kAudio, text, "elements.3"});
  sound.audio.push_back({0, 0, 30, {1, {}}, 0, 0, {}});
  const auto audio = renderAudio(sound, path, {}, never);
  REQUIRE(!audio.ok());
  CHECK(audio.error().message.rfind("elements.3: ", 0) == 0);
  CHECK(!fs::exists(path));
}

TEST_CASE("stitch: fails for segments with different headers, and no file remains") {
  Timeline other = emptyTimeline(5);
  rendered(other, {0, 5}, fixture::path("h1.nut"));
  other.width = 96;
  rendered(other, {0, 5}, fixture::path("h2.nut"));
  const std::string movie = fixture::path("refused.mp4");
  const auto result = stitch({{fixture::path("h1.nut"), fixture::path("h2.nut")}, "", movie}, never);
  REQUIRE(!result.ok());
  CHECK(result.error().code == ErrorCode::STITCH_FAILED);
  CHECK(!fs::exists(movie));
  CHECK(!fs::exists(movie + ".part"));
}

TEST_CASE("render: cancelling ends it soon, and no file remains") {
  Timeline timeline = videoTimeline(counting25(), 30 * 600, {30, 1}, {0, std::nullopt, -1});
  timeline.width = 1280;
  timeline.height = 720;
  timeline.sections[0].clips[0].box = {0, 0, 1280, 720};
  const std::string path = fixture::path("cancelled.nut");
  CancelToken cancel;
  std::chrono::steady_clock::time_point asked;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    asked = std::chrono::steady_clock::now();
    cancel.cancel();
  });
  const auto result = renderSegment(timeline, {0, timeline.frames}, path, {}, cancel);
  canceller.join();
  const double waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
  REQUIRE(!result.ok());
  CHECK(result.error().code == ErrorCode::CANCELLED);
  CHECK(!fs::exists(path));
  MESSAGE("cancelled within " << waited << " s");
  CHECK(waited < 5.0);  // well below the render's duration of over a minute, also with sanitizers
}

TEST_CASE("render: progress rises to the number of frames") {
  std::vector<int64_t> seen;
  const auto result = renderSegment(
      emptyTimeline(120), {20, 120}, fixture::path("progress.nut"),
      [&](int64_t done) { seen.push_back(done); }, never);
  REQUIRE(result.ok());
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(seen.back() == 100);
}

TEST_CASE("composeFrame: returns the frame that the movie shows") {
  const ImagePtr frame = composeFrame(videoTimeline(counting25(), 50, {25, 1}), 30, never).take();
  REQUIRE(frame->format() == PixelFormat::kRgbaStraight);
  const auto pixel = fixture::pixelAt(*frame, 32, 24);
  const int expected = static_cast<int>(std::lround((20 + 2 * 30 - 16) * 255.0 / 219));
  CHECK(std::abs(pixel.r - expected) <= 2);
  CHECK(pixel.r == pixel.b);
  CHECK(pixel.a == 255);
  CHECK(composeFrame(emptyTimeline(5), 5, never).error().code == ErrorCode::INVALID_TIMELINE);
}

TEST_CASE("render: x264's own lookahead plans the segments that show a video, the engine all others") {
  Timeline timeline = videoTimeline(counting25(), 60, {25, 1});
  timeline.sections[0].clips[0].start = 30;
  timeline.sections[0].clips[0].frames = 20;
  const auto settingsOf = [&](FrameRange range, int64_t footageFrames) {
    const std::string path = fixture::path("planned.nut");
    CHECK(rendered(timeline, range, path).footageFrames == footageFrames);
    std::ifstream file(path, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};  // with x264's account of its settings
  };
  CHECK(settingsOf({0, 30}, 0).find(" mbtree=0 ") != std::string::npos);
  CHECK(settingsOf({20, 31}, 11).find(" mbtree=1 ") != std::string::npos);
  CHECK(settingsOf({49, 60}, 11).find(" mbtree=1 ") != std::string::npos);
  CHECK(settingsOf({50, 60}, 0).find(" mbtree=0 ") != std::string::npos);
}

TEST_CASE("render: the footage preset encodes the segments that show a video, which join all others") {
  Timeline timeline = videoTimeline(counting25(), 60, {25, 1});
  timeline.sections[0].clips[0].start = 30;
  timeline.encode.footagePreset = "slow";
  const std::vector<FrameRange> ranges{{0, 20}, {20, 40}, {40, 60}};
  std::vector<std::string> paths, accounts;
  for (const FrameRange& range : ranges) {
    paths.push_back(fixture::path("footage-preset" + std::to_string(range.first) + ".nut"));
    CHECK(rendered(timeline, range, paths.back()).frames == 20);
    std::ifstream file(paths.back(), std::ios::binary);
    accounts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  CHECK(accounts[0].find(" subme=2 ") != std::string::npos);
  for (const size_t k : {size_t{1}, size_t{2}}) {
    CAPTURE(k);
    for (const char* setting :
         {" subme=8 ", " trellis=2 ", " rc_lookahead=18 ", " ref=1 ", " psy_rd=0.00:0.00 "})
      CHECK_MESSAGE(accounts[k].find(setting) != std::string::npos, setting);
  }
  // Segments whose headers differ cannot be stitched.
  const std::string movie = fixture::path("footage-preset.mp4");
  REQUIRE(stitch({paths, "", movie}, never).ok());
  CHECK(fixture::outputOf("ffmpeg -nostdin -v warning -xerror -err_detect explode+crccheck+bitstream -i '" +
                          movie + "' -f null - 2>&1") == "");
}
