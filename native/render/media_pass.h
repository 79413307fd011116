#pragma once

#include <cstdint>

#include "timeline/timeline.h"

namespace framewright {

// Where a video source stands when `mediaTimeUs` (in + elapsed, not yet looped) has played, given that its
// picture ends at `endUs`: folded into the range's passes; after the last pass, the last picture of it.
int64_t foldIntoRange(const MediaRange& range, int64_t mediaTimeUs, int64_t endUs);

}  // namespace framewright
