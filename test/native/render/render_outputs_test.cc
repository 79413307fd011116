#include "render/outputs/render_outputs.h"

#include <filesystem>

#include <doctest/doctest.h>

#include "compositor/rgba_compositor.h"
#include "formats/wav_file.h"
#include "libav/media_fixture.h"
#include "render/outputs/frame_schedule.h"

using namespace framewright;

namespace {

constexpr int kSide = 64;

// A section with a fill of this color over the left half.
Section halfFilled(const Color& fill, int64_t start, int64_t frames) {
  Section section;
  section.start = start;
  section.frames = frames;
  section.background = {0, 0, 0, 0};
  Clip clip;
  clip.id = static_cast<int>(start) + 1;
  clip.fill = fill;
  clip.frames = frames;
  clip.box = {0, 0, kSide / 2, kSide};
  section.clips.push_back(clip);
  return section;
}

Timeline transparentTimeline() {
  Timeline timeline;
  timeline.width = timeline.height = kSide;
  timeline.fps = {10, 1};
  timeline.frames = 20;
  timeline.sections = {halfFilled({200, 40, 40, 255}, 0, 10), halfFilled({40, 40, 200, 128}, 10, 10)};
  timeline.sections[1].transition = Transition{"fade", 4};
  return timeline;
}

OutputFile output(const std::string& name, OutputFormat format) {
  OutputFile file;
  file.path = fixture::path(name);
  file.format = format;
  file.width = file.height = kSide;
  file.fps = file.canvasFps = {10, 1};
  file.end = 20;
  file.hasAlpha = true;
  return file;
}

// R, G, B, A of a pixel of a PNG file.
std::vector<int> pixelOf(const std::string& path, int x) {
  const std::string text =
      fixture::outputOf("ffmpeg -v error -nostdin -i '" + path + "' -vf crop=1:1:" + std::to_string(x) +
                        ":20 -pix_fmt rgba -f rawvideo - | od -An -tu1");
  std::vector<int> values(4);
  REQUIRE(std::sscanf(text.c_str(), "%d %d %d %d", &values[0], &values[1], &values[2], &values[3]) == 4);
  return values;
}

OutputFile still(const std::string& name, int64_t frame) {
  OutputFile file = output(name, OutputFormat::kPng);
  file.first = frame;
  file.end = frame + 1;
  return file;
}

void checkNear(const std::vector<int>& pixel, const std::vector<int>& expected) {
  for (size_t i = 0; i < 4; ++i) CHECK(std::abs(pixel[i] - expected[i]) <= 3);
}

}  // namespace

TEST_CASE("outputs: transparent backgrounds, translucent fills and transitions have alpha") {
  const CancelToken never;
  const auto results =
      renderOutputs(transparentTimeline(),
                    {still("first.png", 0), still("mixed.png", 12), still("last.png", 19)}, {}, {}, never);
  if (!results.ok()) FAIL(results.error().message << " " << results.error().detail);
  checkNear(pixelOf(fixture::path("first.png"), 10), {200, 40, 40, 255});
  checkNear(pixelOf(fixture::path("first.png"), 50), {0, 0, 0, 0});
  checkNear(pixelOf(fixture::path("last.png"), 10), {40, 40, 200, 128});
  // Halfway through the fade: half of opaque red and half of translucent blue.
  const std::vector<int> mixed = pixelOf(fixture::path("mixed.png"), 10);
  CHECK(mixed[3] > 160);
  CHECK(mixed[3] < 230);
  checkNear(pixelOf(fixture::path("mixed.png"), 50), {0, 0, 0, 0});
}

TEST_CASE("outputs: frames are taken at or before the time of the file's frame") {
  OutputFile file = output("rate.webm", OutputFormat::kWebm);
  file.canvasFps = {30, 1};
  file.first = 2;
  file.end = 12;
  const auto counts = [&] {
    std::vector<int64_t> list;
    for (int64_t frame = 0; frame < 14; ++frame) list.push_back(shownCount(file, frame));
    return list;
  };
  file.fps = {12, 1};
  CHECK(counts() == std::vector<int64_t>{0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0});
  file.fps = {60, 1};
  CHECK(counts() == std::vector<int64_t>{0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0});
  file.fps = {30000, 1001};
  CHECK(counts() == std::vector<int64_t>{0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0});
}

TEST_CASE("outputs: an error of one output removes all files") {
  const CancelToken never;
  OutputFile good = output("good.webm", OutputFormat::kWebm),
             bad = output("nowhere/bad.webm", OutputFormat::kWebm);
  CHECK_FALSE(renderOutputs(transparentTimeline(), {good, bad}, {}, {}, never).ok());
  good.end = 40;
  const auto outside = renderOutputs(transparentTimeline(), {good}, {}, {}, never);
  REQUIRE_FALSE(outside.ok());
  CHECK(outside.error().code == ErrorCode::INVALID_TIMELINE);
  CHECK_FALSE(std::filesystem::exists(good.path));
  CHECK_FALSE(std::filesystem::exists(good.path + ".part"));
}

TEST_CASE("outputs: a cancelled call fails with CANCELLED") {
  CancelToken cancel;
  cancel.cancel();
  const OutputFile file = output("cancelled.webm", OutputFormat::kWebm);
  const auto result = renderOutputs(transparentTimeline(), {file}, {}, {}, cancel);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == ErrorCode::CANCELLED);
  CHECK_FALSE(std::filesystem::exists(file.path + ".part"));
}

TEST_CASE("WAV: written samples are read again, also from the middle and beyond the end") {
  const std::string path = fixture::path("ramp.wav");
  auto writer = WavWriter::create(path).take();
  std::vector<float> left(1000), right(1000);
  for (size_t i = 0; i < left.size(); ++i) left[i] = static_cast<float>(i) / 1000, right[i] = -left[i] * 2;
  REQUIRE(writer->write(left.data(), right.data(), 1000).ok());
  CHECK(writer->finish().value() == 44 + 6000);
  auto reader = WavReader::open(path).take();
  CHECK(reader->samples() == 1000);
  REQUIRE(reader->seek(400).ok());
  std::vector<float> both(2 * 700);
  REQUIRE(reader->read(both.data(), 700).ok());
  CHECK(both[0] == doctest::Approx(0.4));
  CHECK(both[1] == doctest::Approx(-0.8));
  CHECK(both[2 * 200 + 1] == doctest::Approx(-1));
  CHECK(both[2 * 650] == 0);
  CHECK_FALSE(WavReader::open(fixture::path("missing.wav")).ok());
}
