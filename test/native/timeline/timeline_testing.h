#pragma once

#include <string>

#include <doctest/doctest.h>

#include "timeline/timeline.h"

namespace framewright {

// The timeline of a valid JSON document.
inline Timeline timelineOf(const std::string& json) {
  auto timeline = parseTimeline(json);
  if (!timeline.ok()) FAIL(timeline.error().message);
  return timeline.take();
}

// Requires that parsing fails with an error that names `path`.
inline void requireTimelineError(const std::string& json, const std::string& path) {
  const auto timeline = parseTimeline(json);
  CAPTURE(path);
  REQUIRE_FALSE(timeline.ok());
  CHECK(timeline.error().code == ErrorCode::INVALID_TIMELINE);
  CAPTURE(timeline.error().message);
  CHECK(timeline.error().message.find(path) != std::string::npos);
}

}  // namespace framewright
