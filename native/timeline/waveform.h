#pragma once

#include <cstdint>
#include <vector>

#include "core/geometry.h"
#include "timeline/timeline.h"

namespace framewright {

// How strong the movie's mix is, before its end level is set.
class MixLevels {
 public:
  static constexpr int kPerSecond = 100;

  virtual ~MixLevels() = default;
  // Root mean square of the mix in the hop from `hop` / kPerSecond seconds on, full scale 1; 0 outside the
  // movie. The same for every caller, in whatever order hops are asked for.
  virtual float at(int64_t hop) = 0;
};

// Heights of the bars that a waveform shows at a frame of the movie, left to right, in kWaveformSteps of the
// box's height. The bar in the middle is now, the outermost ones are a second away; what stands a bar apart
// blends into its neighbours, so that the wave travels without a jump from frame to frame. No levels:
// silence.
inline constexpr int kWaveformSteps = 4096;
std::vector<uint16_t> waveformBars(const Timeline& timeline, const Waveform& waveform, const Rect& box,
                                   int64_t frame, MixLevels* levels);

}  // namespace framewright
