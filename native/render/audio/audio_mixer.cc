#include "render/audio/audio_mixer.h"

#include <algorithm>

namespace framewright {

AudioMixer::AudioMixer(const Timeline& timeline, const CancelToken& cancel)
    : timeline_(timeline), cancel_(cancel) {
  for (const AudioClip& clip : timeline.audio) waiting_.push_back(&clip);
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const AudioClip* a, const AudioClip* b) { return a->start > b->start; });
}

Status AudioMixer::mix(int64_t sample, int64_t count, float* left, float* right) {
  std::fill_n(left, count, 0.0f);
  std::fill_n(right, count, 0.0f);
  while (!waiting_.empty() && sampleAtFrame(timeline_, waiting_.back()->start) < sample + count) {
    playing_.push_back(std::make_unique<ClipAudio>(timeline_, *waiting_.back(), cancel_));
    waiting_.pop_back();
  }
  for (const auto& clip : playing_) FW_RETURN_IF_ERROR(clip->add(sample, count, left, right));
  std::erase_if(playing_, [&](const auto& clip) {
    const bool isOver = clip->endSample() <= sample + count;
    if (isOver) clip->addFaults(finishedFaults_);
    return isOver;
  });
  return {};
}

std::vector<SourceFaults> AudioMixer::faults() const {
  std::vector<SourceFaults> faults = finishedFaults_;
  for (const auto& clip : playing_) clip->addFaults(faults);
  return faults;
}

}  // namespace framewright
