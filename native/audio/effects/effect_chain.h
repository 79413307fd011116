#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "audio/effects/compressor.h"
#include "audio/effects/equalizer.h"
#include "audio/effects/reverb.h"
#include "core/compressor_settings.h"
#include "core/equalizer_band.h"
#include "core/reverb_settings.h"

namespace framewright {

// The effects of a clip that have state, in their order: equalizer, compressor, reverb. Without latency. Used
// by one thread.
class EffectChain {
 public:
  EffectChain(std::span<const EqualizerBand> bands, const std::optional<CompressorSettings>& compressor,
              const std::optional<ReverbSettings>& reverb);

  // Changes bands of the equalizer, as many as before, and the share of the reverb in the sound.
  void set(std::span<const EqualizerBand> bands, double wet);
  // Processes `count` samples of both channels in place. Calls continue each other. Samples that are not
  // finite, as damaged files have them, count as silence.
  void process(float* left, float* right, int64_t count);

  // After that many samples the result no longer depends audibly on those before; 0 without effects.
  int64_t settlingSamples() const { return settlingSamples_; }
  // How long silence after a sound is not silent, and over how many samples of its end to fade it out.
  int64_t tailSamples() const { return tailSamples_; }
  int64_t tailFadeSamples() const { return tailFadeSamples_; }

 private:
  Equalizer equalizer_;
  std::optional<Compressor> compressor_;
  std::optional<Reverb> reverb_;
  int64_t settlingSamples_ = 0, tailSamples_ = 0, tailFadeSamples_ = 0;
};

}  // namespace framewright
