#include "render/sound_mixer.h"

#include <algorithm>

namespace framewright {

SoundMixer::SoundMixer(const Timeline& timeline, const CancelToken& cancel)
    : timeline_(timeline), cancel_(cancel) {
  for (const AudioClip& clip : timeline.audio) waiting_.push_back(&clip);
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const AudioClip* a, const AudioClip* b) { return a->start > b->start; });
}

Status SoundMixer::mix(int64_t sample, int64_t count, float* left, float* right) {
  std::fill_n(left, count, 0.0f);
  std::fill_n(right, count, 0.0f);
  while (!waiting_.empty() && sampleAtFrame(timeline_, waiting_.back()->start) < sample + count) {
    sounding_.push_back(std::make_unique<ClipSound>(timeline_, *waiting_.back(), cancel_));
    waiting_.pop_back();
  }
  for (const auto& sound : sounding_) FW_RETURN_IF_ERROR(sound->add(sample, count, left, right));
  std::erase_if(sounding_, [&](const auto& sound) { return sound->endSample() <= sample + count; });
  return {};
}

}  // namespace framewright
