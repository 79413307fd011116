#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "render/clip_sound.h"
#include "timeline/timeline.h"

namespace framewright {

// Sums all clips of a timeline; a clip's file is open only while it is heard. The same samples come out
// every time. One thread.
class SoundMixer {
 public:
  // Both references must outlive it.
  SoundMixer(const Timeline& timeline, const CancelToken& cancel);

  // The sum of [sample, sample + count). Calls go forward without gaps, from any sample on.
  // Errors name the source's label.
  Status mix(int64_t sample, int64_t count, float* left, float* right);

 private:
  const Timeline& timeline_;
  const CancelToken& cancel_;
  std::vector<const AudioClip*> waiting_;  // latest first
  std::vector<std::unique_ptr<ClipSound>> sounding_;
};

}  // namespace framewright
