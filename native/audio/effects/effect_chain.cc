#include "audio/effects/effect_chain.h"

#include <algorithm>
#include <cmath>

#include "audio/effects/valid_sample.h"

namespace framewright {
namespace {

constexpr int64_t kEqualizerSettling = 48000;  // 1 s

void removeInvalid(float* samples, int64_t count) {
  std::transform(samples, samples + count, samples, validSample);
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

void EffectChain::set(std::span<const EqualizerBand> bands, double wet) {
  equalizer_.set(bands);
  if (reverb_) reverb_->setWet(wet);
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
