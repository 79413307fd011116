#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "timeline/timeline.h"
#include "timeline/waveform.h"

namespace framewright {

// Levels of a timeline's mix, computed on demand. Blocks at fixed positions are mixed separately, so that
// every segment and every single frame gets the same numbers. One thread.
class AudioLevels final : public MixLevels {
 public:
  // Both references must outlive it.
  AudioLevels(const Timeline& timeline, const CancelToken& cancel);

  float at(int64_t hop) override;
  // The first error; levels are 0 after it.
  Status status() const;

 private:
  Result<std::vector<float>> mixBlock(int64_t index) const;

  const Timeline& timeline_;
  const CancelToken& cancel_;
  std::map<int64_t, std::vector<float>> blocks_;  // by block number
  Status status_;
};

}  // namespace framewright
