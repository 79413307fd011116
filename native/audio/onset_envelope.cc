#include "audio/onset_envelope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace framewright {
namespace {

constexpr double kOnsetRate = 48000;
constexpr double kLowestBand = 40, kHighestBand = 16000;  // Hz
constexpr double kRecentSeconds = 10;                     // in which the recent maximum falls to 1/e
constexpr float kMinLoudest = 1e-4f;                      // below is silence
constexpr float kCompression = 3;                         // of levels, relative to the recent maximum
constexpr double kHalfWeight = 20000;                     // Hz; hi-hats between the beats count less
constexpr float kMaxLevel = 10;

double melOf(double hertz) { return std::log1p(hertz / 700); }
double hertzOf(double mel) { return 700 * std::expm1(mel); }

}  // namespace

OnsetEnvelope::OnsetEnvelope() {
  for (size_t i = 0; i < kWindow; ++i) {
    const double phase = 2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / kWindow;
    window_[i] = static_cast<float>((1 - std::cos(phase)) / (kWindow / 2.0));
  }
  const double lowest = melOf(kLowestBand), highest = melOf(kHighestBand);
  for (size_t i = 0; i <= kBands; ++i) {
    const double hertz = hertzOf(lowest + (highest - lowest) * static_cast<double>(i) / kBands);
    const auto bin = static_cast<size_t>(std::lround(hertz / kOnsetRate * kWindow));
    edges_[i] = std::max(bin, i == 0 ? size_t{1} : edges_[i - 1] + 1);
  }
  for (size_t i = 0; i < kBands; ++i) {
    const double hertz = static_cast<double>(edges_[i]) * kOnsetRate / kWindow;
    weights_[i] = static_cast<float>(1 / (1 + hertz / kHalfWeight));
  }
}

void OnsetEnvelope::add(const float* left, const float* right, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const float sample = (left[i] + right[i]) / 2;
    addSample(std::isfinite(sample) ? std::clamp(sample, -kMaxLevel, kMaxLevel) : 0);
  }
}

// A frame lies around its time, so the first one ends half a window after sample 0.
void OnsetEnvelope::addSample(float sample) {
  samples_[at_] = sample;
  at_ = (at_ + 1) % kWindow;
  ++count_;
  const int64_t end = count_ - static_cast<int64_t>(kWindow / 2);
  if (end >= 0 && end % kHop == 0) addFrame();
}

std::span<const float> OnsetEnvelope::finish() {
  for (size_t i = 0; i < kWindow / 2; ++i) addSample(0);
  return envelope_;
}

void OnsetEnvelope::addFrame() {
  for (size_t i = 0; i < kWindow; ++i) bins_[i] = samples_[(at_ + i) % kWindow] * window_[i];
  transform_.transform(bins_.data());
  std::array<float, kBands> levels;
  for (size_t band = 0; band < kBands; ++band) {
    float energy = 0;
    for (size_t bin = edges_[band]; bin < edges_[band + 1]; ++bin) energy += std::norm(bins_[bin]);
    levels[band] = std::sqrt(energy);
  }
  static const auto decay = static_cast<float>(std::exp(-1 / (kRecentSeconds * kRate)));
  loudest_ = std::max({loudest_ * decay, *std::max_element(levels.begin(), levels.end()), kMinLoudest});
  float flux = 0;
  for (size_t band = 0; band < kBands; ++band) {
    const float level = std::log1p(kCompression * levels[band] / loudest_);
    if (!envelope_.empty()) flux += weights_[band] * std::max(0.0f, level - before_[band]);
    before_[band] = level;
  }
  envelope_.push_back(flux);
}

}  // namespace framewright
