#include <cmath>

#include <doctest/doctest.h>

#include "libav/decode/video_decoder.h"
#include "libav/media_fixture.h"
#include "render/render.h"

using namespace framewright;

namespace {

const CancelToken never;

// White, or the counting video, with the counting video as its mask.
Timeline maskedTimeline(const MediaRange& media, bool maskItself) {
  const std::string video = fixture::countingVideo("r25.mp4", "25", "64x48", 60, fixture::kH264 + " -g 12");
  Timeline timeline;
  timeline.width = 64, timeline.height = 48;
  timeline.fps = {25, 1};
  timeline.frames = 40;
  timeline.encode.crf = 4;
  timeline.sources.push_back({SourceKind::kVideo, video, "scenes.0.elements.0"});
  Section section;
  section.frames = 40;
  section.background = {0, 0, 0, 255};
  Clip clip;
  clip.id = 1;
  clip.fill = Color{255, 255, 255, 255};
  if (maskItself) clip.source = 0;
  clip.frames = 40;
  clip.box = {0, 0, 64, 48};
  clip.effects.mask = ClipMask{2, 0, media};
  section.clips.push_back(clip);
  timeline.sections.push_back(section);
  return timeline;
}

std::vector<double> lumasOf(const Timeline& timeline, const std::string& name) {
  const std::string segment = fixture::path(name + ".nut"), movie = fixture::path(name + ".mp4");
  const auto result = renderSegment(timeline, {0, timeline.frames}, segment, {}, never);
  if (!result.ok()) FAIL(result.error().message << " " << result.error().detail);
  REQUIRE(stitch({{segment}, "", movie}, never).ok());
  auto decoder = VideoDecoder::open(movie, 1, never).take();
  std::vector<double> lumas;
  for (int64_t k = 0; k < timeline.frames; ++k) {
    lumas.push_back(fixture::meanLuma(*decoder->frameAt(k * 40000).take()));
  }
  return lumas;
}

}  // namespace

TEST_CASE("masks: a video plays as a mask with its own range") {
  const auto lumas = lumasOf(maskedTimeline({0.4, 0.8, -1}, false), "masked");
  for (size_t k = 0; k < lumas.size(); ++k) {
    CAPTURE(k);
    // White with a mask has the mask's luma.
    CHECK(std::abs(lumas[k] - (20 + 2 * (10 + static_cast<double>(k % 10)))) < 1.5);
  }
}

TEST_CASE("masks: a clip and its mask play the same file at different times") {
  const auto lumas = lumasOf(maskedTimeline({0.8, std::nullopt, 1}, true), "masked-itself");
  for (size_t k = 0; k < lumas.size(); ++k) {
    CAPTURE(k);
    const double own = 20 + 2.0 * static_cast<double>(k), mask = 20 + 2.0 * static_cast<double>(20 + k);
    CHECK(std::abs(lumas[k] - (16 + (own - 16) * (mask - 16) / 219)) < 2);
  }
}

TEST_CASE("masks: an unreadable mask is an error that names the element") {
  Timeline timeline = maskedTimeline({}, false);
  timeline.sources[0].path = fixture::path("nowhere.mp4");
  const auto result = renderSegment(timeline, {0, 5}, fixture::path("unmasked.nut"), {}, never);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().message.find("scenes.0.elements.0") != std::string::npos);
}
