#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry.h"
#include "timeline/timeline.h"

namespace framewright {

// Levels of the movie's audio mix, before loudness normalisation. One thread.
class MixLevels {
 public:
  static constexpr int kPerSecond = 100;

  virtual ~MixLevels() = default;
  // Root mean square of the mix from `hop` / kPerSecond seconds on, for one hop; full scale is 1. 0 outside
  // the movie. Independent of the order of calls.
  virtual float at(int64_t hop) = 0;
  // Levels of frequency bands in the same time, from low to high; empty for silence. Valid until the next
  // call.
  virtual std::span<const float> bandsAt(int64_t /*hop*/) { return {}; }
};

// Bar heights are fractions of the box's height times this.
inline constexpr int kWaveformSteps = 4096;

// Heights of a waveform's bars at a frame of the movie, left to right, or clockwise from the top. Levels are
// smoothed, so that bars move without jumps between frames. `levels` null: silence.
std::vector<uint16_t> waveformBars(const Timeline& timeline, WaveformStyle style, double amplitude,
                                   const Rect& box, int64_t frame, MixLevels* levels);

}  // namespace framewright
