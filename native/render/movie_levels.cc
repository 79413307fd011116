#include "render/movie_levels.h"

#include <algorithm>
#include <cmath>

#include "render/sound_mixer.h"

namespace framewright {
namespace {

constexpr int64_t kHopSamples = kSampleRate / MixLevels::kPerSecond;
constexpr int64_t kStretchHops = 8 * MixLevels::kPerSecond;
constexpr size_t kStretchesKept = 4;  // frames ask around one moment

}  // namespace

MovieLevels::MovieLevels(const Timeline& timeline, const CancelToken& cancel)
    : timeline_(timeline), cancel_(cancel) {}

float MovieLevels::at(int64_t hop) {
  if (hop < 0 || hop * kHopSamples >= sampleAtFrame(timeline_, timeline_.frames) || !status_.ok()) return 0;
  const int64_t index = hop / kStretchHops;
  auto found = stretches_.find(index);
  if (found == stretches_.end()) {
    auto levels = mixStretch(index);
    if (!levels.ok()) {
      status_ = levels.error();
      return 0;
    }
    if (stretches_.size() >= kStretchesKept) stretches_.erase(stretches_.begin());
    found = stretches_.insert_or_assign(index, levels.take()).first;
  }
  return found->second[static_cast<size_t>(hop % kStretchHops)];
}

Status MovieLevels::status() const { return status_; }

Result<std::vector<float>> MovieLevels::mixStretch(int64_t index) const {
  std::vector<float> levels(static_cast<size_t>(kStretchHops));
  std::vector<float> left(static_cast<size_t>(kHopSamples)), right(left.size());
  SoundMixer mixer(timeline_, cancel_);
  const int64_t first = index * kStretchHops * kHopSamples;
  const int64_t end = sampleAtFrame(timeline_, timeline_.frames);
  for (size_t k = 0; k < levels.size(); ++k) {
    const int64_t sample = first + static_cast<int64_t>(k) * kHopSamples;
    if (sample >= end) break;
    if (cancel_.cancelled()) return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
    FW_RETURN_IF_ERROR(mixer.mix(sample, kHopSamples, left.data(), right.data()));
    double sum = 0;
    for (size_t i = 0; i < left.size(); ++i) sum += left[i] * left[i] + right[i] * right[i];
    levels[k] = static_cast<float>(std::sqrt(sum / (2.0 * static_cast<double>(kHopSamples))));
  }
  return levels;
}

}  // namespace framewright
