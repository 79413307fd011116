#include "audio/effects/effect_chain.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr int64_t kEqualizerSettling = 48000;  // 1 s
constexpr float kMaxSample = 1e6f;             // 120 dB above full scale

void removeInvalid(float* samples, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    samples[i] = std::isfinite(samples[i]) ? std::clamp(samples[i], -kMaxSample, kMaxSample) : 0;
  }
}

}  // namespace

EffectChain::EffectChain(std::span<const EqualizerBand> bands,
                         const std::optional<CompressorSettings>& compressor,
                         const std::optional<ReverbSettings>& reverb)
    : equalizer_(bands) {
  if (!bands.empty()) settlingSamples_ += kEqualizerSettling;
  if (compressor) {
    compressor_.emplace(*compressor);
    settlingSamples_ += Compressor::settlingSamples(*compressor);
  }
  if (reverb) {
    reverb_.emplace(*reverb);
    settlingSamples_ += Reverb::settlingSamples(*reverb);
    tailSamples_ = Reverb::tailSamples(*reverb);
    tailFadeSamples_ = Reverb::tailFadeSamples(*reverb);
  }
}

void EffectChain::process(float* left, float* right, int64_t count) {
  if (settlingSamples_ == 0) return;
  removeInvalid(left, count);
  removeInvalid(right, count);
  equalizer_.process(left, right, count);
  if (compressor_) compressor_->process(left, right, count);
  if (reverb_) reverb_->process(left, right, count);
}

}  // namespace framewright
