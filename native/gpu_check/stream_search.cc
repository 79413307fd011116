#include "gpu_check/stream_search.h"

namespace framewright {

Result<StreamRate> findBestRate(int maxCount, const std::function<Result<StreamRate>(int count)>& measure) {
  constexpr double kClearGain = 1.08;
  StreamRate best;
  for (int count = 1, limit = maxCount; count <= limit;) {
    const auto measured = measure(count);
    if (!measured.ok() && best.count == 0) return measured.error();
    if (!measured.ok()) break;
    const StreamRate& rate = measured.value();
    if (rate.sessions > 0 && rate.sessions < count) {
      best.sessions = limit = rate.sessions;
      if (rate.sessions <= best.count) break;
      count = rate.sessions;
      continue;
    }
    if (best.count > 0 && rate.framesPerSecond <= kClearGain * best.framesPerSecond) break;
    const int sessions = best.sessions;
    best = rate;
    best.sessions = sessions;
    if (count == limit) break;
    count *= 2;
  }
  return best;
}

}  // namespace framewright
