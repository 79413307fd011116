#include "render/audio/audio_levels.h"

#include <algorithm>
#include <cmath>

#include "render/audio/audio_mixer.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr int64_t kHopSamples = kSampleRate / MixLevels::kPerSecond;
constexpr int64_t kBlockHops = 8 * MixLevels::kPerSecond;
constexpr size_t kMaxBlocks = 4;  // frames read levels around one position

}  // namespace

AudioLevels::AudioLevels(const Timeline& timeline, const CancelToken& cancel)
    : timeline_(timeline), cancel_(cancel) {}

float AudioLevels::at(int64_t hop) {
  if (hop < 0 || hop * kHopSamples >= sampleAtFrame(timeline_, timeline_.frames) || !status_.ok()) return 0;
  const int64_t index = hop / kBlockHops;
  auto found = blocks_.find(index);
  if (found == blocks_.end()) {
    auto levels = mixBlock(index);
    if (!levels.ok()) {
      status_ = levels.error();
      return 0;
    }
    if (blocks_.size() >= kMaxBlocks) blocks_.erase(blocks_.begin());
    found = blocks_.insert_or_assign(index, levels.take()).first;
  }
  return found->second[static_cast<size_t>(hop % kBlockHops)];
}

Status AudioLevels::status() const { return status_; }

Result<std::vector<float>> AudioLevels::mixBlock(int64_t index) const {
  std::vector<float> levels(static_cast<size_t>(kBlockHops));
  std::vector<float> left(static_cast<size_t>(kHopSamples)), right(left.size());
  AudioMixer mixer(timeline_, cancel_);
  const int64_t first = index * kBlockHops * kHopSamples;
  const int64_t end = sampleAtFrame(timeline_, timeline_.frames);
  for (size_t k = 0; k < levels.size(); ++k) {
    const int64_t sample = first + static_cast<int64_t>(k) * kHopSamples;
    if (sample >= end) break;
    if (cancel_.cancelled()) return cancelledError();
    FW_RETURN_IF_ERROR(mixer.mix(sample, kHopSamples, left.data(), right.data()));
    double sum = 0;
    for (size_t i = 0; i < left.size(); ++i) sum += left[i] * left[i] + right[i] * right[i];
    levels[k] = static_cast<float>(std::sqrt(sum / (2.0 * static_cast<double>(kHopSamples))));
  }
  return levels;
}

}  // namespace framewright
