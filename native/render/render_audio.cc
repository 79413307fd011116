#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "audio/limiter.h"
#include "media/audio_encoder.h"
#include "render/clip_sound.h"
#include "render/progress_throttle.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr int64_t kBlockSamples = 4096;

// Sums all clips block by block; a clip's file is open only while it is heard.
class SoundMixer {
 public:
  SoundMixer(const Timeline& timeline, const CancelToken& cancel) : timeline_(timeline), cancel_(cancel) {
    for (const AudioClip& clip : timeline.audio) waiting_.push_back(&clip);
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [](const AudioClip* a, const AudioClip* b) { return a->start > b->start; });
  }

  Status mix(int64_t sample, int64_t count, float* left, float* right) {
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

 private:
  const Timeline& timeline_;
  const CancelToken& cancel_;
  std::vector<const AudioClip*> waiting_;  // latest first
  std::vector<std::unique_ptr<ClipSound>> sounding_;
};

}  // namespace

Result<AudioFacts> renderAudio(const Timeline& timeline, const std::string& path,
                               const ProgressSink& progress, const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(const auto encoder, AudioEncoder::open(timeline.encode.audioBitrate, path));
  SoundMixer mixer(timeline, cancel);
  Limiter limiter;
  ProgressThrottle throttle(progress);
  std::vector<float> left(kBlockSamples), right(kBlockSamples);
  const int64_t total = sampleAtFrame(timeline, timeline.frames);
  // The limiter's output lags, so the sum runs on in silence until its last sample is out.
  int64_t encoded = -kLimiterLatency;
  for (int64_t sample = 0; encoded < total; sample += kBlockSamples) {
    if (cancel.cancelled()) return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
    FW_RETURN_IF_ERROR(mixer.mix(sample, kBlockSamples, left.data(), right.data()));
    limiter.process(left.data(), right.data(), kBlockSamples);
    const int64_t lead = std::max<int64_t>(0, -encoded);
    const int64_t count = std::min(kBlockSamples - lead, total - std::max<int64_t>(0, encoded));
    FW_RETURN_IF_ERROR(encoder->encode(left.data() + lead, right.data() + lead, count));
    encoded += lead + count;
    throttle.report(encoded);
  }
  AudioFacts facts;
  facts.samples = total;
  FW_ASSIGN_OR_RETURN(facts.bytes, encoder->finish());
  throttle.finish(total);
  return facts;
}

}  // namespace framewright
