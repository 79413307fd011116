#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "render/audio/clip_audio.h"
#include "timeline/timeline.h"

namespace framewright {

// Sums all audio clips of a timeline. A clip's file is open only while the clip plays. Deterministic. One
// thread.
class AudioMixer {
 public:
  // Both references must outlive it.
  AudioMixer(const Timeline& timeline, const CancelToken& cancel);

  // Writes the movie samples [sample, sample + count). Calls ascend without gaps, from any sample on. Errors
  // name the source's label.
  Status mix(int64_t sample, int64_t count, float* left, float* right);

  // One per clip of which something could not be decoded so far.
  std::vector<SourceFaults> faults() const;

 private:
  const Timeline& timeline_;
  const CancelToken& cancel_;
  std::vector<const AudioClip*> waiting_;  // latest first
  std::vector<std::unique_ptr<ClipAudio>> playing_;
  std::vector<SourceFaults> finishedFaults_;
};

}  // namespace framewright
