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

// The value of a hop; null outside the movie and after an error.
template <class Value, class Mix>
const Value* AudioLevels::find(Blocks<Value>& blocks, int64_t hop, const Mix& mix) {
  if (hop < 0 || hop * kHopSamples >= sampleAtFrame(timeline_, timeline_.frames) || !status_.ok())
    return nullptr;
  const int64_t index = hop / kBlockHops;
  auto found = blocks.find(index);
  if (found == blocks.end()) {
    auto values = mix(index);
    if (!values.ok()) {
      status_ = values.error();
      return nullptr;
    }
    if (blocks.size() >= kMaxBlocks) blocks.erase(blocks.begin());
    found = blocks.insert_or_assign(index, values.take()).first;
  }
  return &found->second[static_cast<size_t>(hop % kBlockHops)];
}

float AudioLevels::at(int64_t hop) {
  const float* level = find(blocks_, hop, [this](int64_t index) { return mixBlock(index); });
  return level == nullptr ? 0 : *level;
}

std::span<const float> AudioLevels::bandsAt(int64_t hop) {
  const SpectrumBands::Levels* levels = find(bands_, hop, [this](int64_t index) { return mixBands(index); });
  return levels == nullptr ? std::span<const float>() : std::span<const float>(*levels);
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

// The window of a band reaches beyond its hop.
Result<std::vector<SpectrumBands::Levels>> AudioLevels::mixBands(int64_t index) {
  if (spectrum_ == nullptr) spectrum_ = std::make_unique<SpectrumBands>();
  constexpr int64_t kMargin = (SpectrumBands::kWindow - kHopSamples) / 2;
  const int64_t first = index * kBlockHops * kHopSamples - kMargin;
  const int64_t end =
      std::min(sampleAtFrame(timeline_, timeline_.frames), first + kBlockHops * kHopSamples + 2 * kMargin);
  std::vector<float> mono(static_cast<size_t>(kBlockHops * kHopSamples + 2 * kMargin));
  std::vector<float> left(static_cast<size_t>(kHopSamples)), right(left.size());
  AudioMixer mixer(timeline_, cancel_);
  for (int64_t sample = std::max<int64_t>(0, first); sample < end; sample += kHopSamples) {
    if (cancel_.cancelled()) return cancelledError();
    const int64_t count = std::min(kHopSamples, end - sample);
    FW_RETURN_IF_ERROR(mixer.mix(sample, count, left.data(), right.data()));
    for (int64_t i = 0; i < count; ++i)
      mono[static_cast<size_t>(sample - first + i)] =
          (left[static_cast<size_t>(i)] + right[static_cast<size_t>(i)]) / 2;
  }
  std::vector<SpectrumBands::Levels> bands(static_cast<size_t>(kBlockHops));
  for (size_t k = 0; k < bands.size(); ++k)
    bands[k] = spectrum_->measure(mono.data() + k * static_cast<size_t>(kHopSamples));
  return bands;
}

}  // namespace framewright
