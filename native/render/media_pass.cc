#include "render/media_pass.h"

#include <algorithm>
#include <cmath>

#include "libav/decode/video_decoder.h"

namespace framewright {

int64_t foldIntoRange(const MediaRange& range, int64_t mediaTimeUs, int64_t endUs) {
  const double inUs = range.in * 1e6;
  const double stopUs =
      range.out ? std::min(*range.out * 1e6, static_cast<double>(endUs)) : static_cast<double>(endUs);
  const double passUs = stopUs - inUs;
  // Nothing to play: the picture at `in`, or the last one there is.
  if (passUs < 1) return std::llround(inUs);
  const double elapsed = std::max(0.0, static_cast<double>(mediaTimeUs) - inUs);
  // Times are rounded to microseconds; one that is all but the next pass belongs to it.
  const double pass = std::floor((elapsed + kFrameTimeSlackUs) / passUs);
  const bool ended = range.loops >= 0 && pass >= range.loops;
  // Just before the stop: past it there may be pictures that the range leaves out.
  if (ended) return std::llround(stopUs) - 5 * kFrameTimeSlackUs;
  return std::llround(inUs + std::max(0.0, elapsed - pass * passUs));
}

}  // namespace framewright
