#pragma once

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "libav/decode/video_decoder.h"
#include "libav/media_fixture.h"
#include "render/render.h"

// A movie of one clip.
namespace framewright {

inline Timeline playingClip(const std::string& path, const MediaRange& media, int64_t frames, Rational fps,
                            double crf) {
  Timeline timeline;
  timeline.width = 64;
  timeline.height = 48;
  timeline.fps = fps;
  timeline.frames = frames;
  timeline.encode.crf = crf;
  timeline.encode.preset = "veryfast";
  timeline.sources.push_back({SourceKind::kVideo, path, "scenes.0.elements.0"});
  Section section;
  section.label = "scene_1";
  section.frames = frames;
  section.background = {0, 0, 0, 255};
  Clip shown;
  shown.id = 1;
  shown.source = 0;
  shown.frames = frames;
  shown.box = {0, 0, 64, 48};
  shown.media = media;
  section.clips.push_back(shown);
  timeline.sections.push_back(section);
  return timeline;
}

// What `read` finds in each frame of the movie `name`, rendered in segments that end at `cuts`.
template <class Read>
auto readMovie(const Timeline& timeline, const std::string& name, const std::vector<int64_t>& cuts,
               const Read& read) {
  static const CancelToken never;
  std::vector<std::string> segments;
  int64_t first = 0;
  for (const int64_t cut : cuts) {
    segments.push_back(fixture::path(name + std::to_string(segments.size()) + ".nut"));
    const auto result = renderSegment(timeline, {first, cut}, segments.back(), {}, never);
    if (!result.ok()) FAIL(result.error().message << " " << result.error().detail);
    first = cut;
  }
  const std::string movie = fixture::path(name + ".movie.mp4");
  REQUIRE(stitch({segments, "", movie}, never).ok());
  auto decoder = VideoDecoder::open(movie, 1, never).take();
  std::vector<decltype(read(std::declval<const Image&>()))> found;
  for (int64_t k = 0; k < timeline.frames; ++k) {
    const int64_t timeUs = k * 1'000'000 * timeline.fps.den / timeline.fps.num;
    found.push_back(read(*decoder->frameAt(timeUs).take()));
  }
  return found;
}

}  // namespace framewright
