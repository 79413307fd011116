#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/reverb_settings.h"

namespace framewright {

// Feedback delay network for 48 kHz stereo. Noise keeps its level at any share of the reverb. Used by one
// thread.
class Reverb {
 public:
  explicit Reverb(const ReverbSettings& settings);

  // Share of the reverb in the sound, 0..1.
  void setWet(double wet);
  // Processes `count` finite samples of both channels in place. Calls continue each other.
  void process(float* left, float* right, int64_t count);

  // After that many samples the result no longer depends on those before.
  static int64_t settlingSamples(const ReverbSettings& settings);
  // How long silence after a sound is not silent, and over how many samples of its end to fade it out.
  static int64_t tailSamples(const ReverbSettings& settings);
  static int64_t tailFadeSamples(const ReverbSettings& settings);

 private:
  static constexpr size_t kLines = 16;
  static constexpr size_t kDiffusers = 4;

  struct Delay {
    std::vector<float> samples;
    size_t at = 0;

    float oldest() const { return samples[at]; }
    void push(float sample) {
      samples[at] = sample;
      if (++at == samples.size()) at = 0;
    }
  };

  // A delay with a low-pass filter that makes it decay.
  struct Line {
    Delay delay;
    float gain = 0, pole = 0, state = 0;
  };

  // A channel's input: the pre-delay and all-pass filters that make its echoes dense.
  struct Input {
    Delay preDelay;
    std::array<Delay, kDiffusers> diffusers;

    float next(float sample);
  };

  std::array<Input, 2> inputs_;
  std::array<Line, kLines> lines_;
  double evenGain_ = 1;  // of the lines, for the energy of the input
  float dry_ = 1, wet_ = 0;
};

}  // namespace framewright
