#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "timeline/timeline.h"
#include "timeline/waveform.h"

namespace framewright {

// The levels of a timeline's mix, mixed when they are first asked for. Stretches of fixed places are mixed
// each on its own, so every segment of a movie, and a single frame, gets the same numbers. One thread.
class MovieLevels final : public MixLevels {
 public:
  // Both references must outlive it.
  MovieLevels(const Timeline& timeline, const CancelToken& cancel);

  float at(int64_t hop) override;
  // What went wrong first; levels are 0 from then on.
  Status status() const;

 private:
  Result<std::vector<float>> mixStretch(int64_t index) const;

  const Timeline& timeline_;
  const CancelToken& cancel_;
  std::map<int64_t, std::vector<float>> stretches_;  // the latest few, by place
  Status status_;
};

}  // namespace framewright
