#pragma once

#include <functional>

#include "core/result.h"

namespace framewright {

// Frames per second of a stream.
inline constexpr double kStreamRate = 30;

// What several decoders, encoders or renders at once do.
struct StreamRate {
  int count = 0;               // at once
  double framesPerSecond = 0;  // of all together
  double joulesPerFrame = 0;   // 0: unknown
  // Of an encoder: how many sessions the driver opened before it refused one; 0: it refused none.
  int sessions = 0;

  // Streams in real time; one session encodes one.
  int streams() const {
    const int byRate = static_cast<int>(framesPerSecond / kStreamRate);
    return sessions > 0 && sessions < byRate ? sessions : byRate;
  }
};

// Doubles the count from 1 to `maxCount` as long as all together are clearly faster. Where `sessions` of a
// measurement is less than its count, that many are measured and no more. Fails as the first measurement
// does; a later failure shows that there is room for no more.
Result<StreamRate> findBestRate(int maxCount, const std::function<Result<StreamRate>(int count)>& measure);

}  // namespace framewright
