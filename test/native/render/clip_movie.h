#pragma once

#include <string>

#include "libav/media_fixture.h"
#include "render/render.h"

namespace framewright::fixture {

// A movie of 30 frames/s in which a clip of 40 different frames, stretched to `box`, lies on a colour.
// `video` is the name of the clip's file. Drawn and encoded as the timeline's defaults say.
inline Timeline clipMovie(const std::string& video, int width, int height, const Rect& box,
                          int64_t frames = 40) {
  Timeline timeline;
  timeline.width = width;
  timeline.height = height;
  timeline.fps = {30, 1};
  timeline.frames = frames;
  timeline.sources.push_back(
      {SourceKind::kVideo, countingVideo(video, "30", "64x48", 40, kH264), "scenes.0.elements.0"});
  Section section;
  section.label = "scene_1";
  section.frames = frames;
  section.background = {20, 60, 90, 255};
  Clip clip;
  clip.id = 1;
  clip.source = 0;
  clip.frames = frames;
  clip.box = box;
  section.clips = {clip};
  timeline.sections = {section};
  return timeline;
}

// Renders all frames of a movie to one segment.
inline Result<SegmentResult> renderWhole(const Timeline& timeline, const std::string& path) {
  const CancelToken never;
  return renderSegment(timeline, {0, timeline.frames}, path, {}, never);
}

// The hashes of a video's frames.
inline std::string framesOf(const std::string& path) {
  return outputOf("ffmpeg -v error -i " + path +
                  " -pix_fmt yuv420p -f framemd5 - | grep -v '^#' | cut -d, -f6");
}

}  // namespace framewright::fixture
