#include "audio/effects/reverb.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace framewright {
namespace {

constexpr double kReverbRate = 48000;
constexpr float kMinState = 1e-20f;  // -400 dBFS; smaller state would be denormal soon

// Lengths of the delay lines, spaced evenly on a logarithmic scale.
constexpr double kMinShortest = 0.003, kMaxShortest = 0.03;  // s, of sizes 0 and 1
constexpr double kLongestToShortest = 3.1;
// Decay time at 24 kHz with the largest damping, as a fraction of that at 0 Hz.
constexpr double kMinBrightness = 0.1;
constexpr double kMaxPole = 0.85;

// Samples and gains of the all-pass filters. Of a shorter decay they are shorter, or they would ring longer.
constexpr double kDiffuserLengths[2][4] = {{229, 173, 613, 449}, {241, 163, 587, 467}};
constexpr double kFullDiffusionDecay = 0.8;  // s
constexpr float kDiffuserGains[4] = {0.7f, 0.7f, 0.6f, 0.6f};

// Signs with which lines get the channels and give them, one bit a line: balanced, and orthogonal in pairs.
constexpr unsigned kInputSigns[2] = {0x3a5c, 0x9656};
constexpr unsigned kOutputSigns[2] = {0x6a95, 0xc9a6};

constexpr double kDecayConstants = 13.815510557964274;  // ln 10^6: time constants of a fall by 60 dB
// The reverb of what precedes has fallen by 120 dB, beside its early part.
constexpr double kSettlingDecays = 2;
constexpr double kTailDecays = 1.1, kTailFadeDecays = 0.1;
constexpr double kEarlySeconds = 0.15;  // of the longest line and the all-pass filters

bool isPrime(int64_t number) {
  for (int64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) return false;
  }
  return true;
}

// Prime, so that echoes of different lines rarely coincide.
size_t primeFrom(double number) {
  auto prime = static_cast<int64_t>(std::ceil(number));
  while (!isPrime(prime)) ++prime;
  return static_cast<size_t>(prime);
}

float signOf(unsigned signs, size_t line) { return (signs >> line & 1u) != 0 ? -1 : 1; }

float audible(float sample) { return std::abs(sample) < kMinState ? 0 : sample; }

// Gain of a delay of so many samples after which a sound has fallen by 60 dB in `seconds`.
double decayGain(double samples, double seconds) {
  return std::exp(-kDecayConstants / 2 * samples / (seconds * kReverbRate));
}

// How often the energy of a sound passes a line with this gain at 0 Hz and this pole, in the mean of the
// frequencies of voices and music.
double passesOf(double gain, double pole) {
  constexpr double kLowest = 100, kHighest = 6400;  // Hz
  constexpr int kSteps = 24;
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double hertz = kLowest * std::pow(kHighest / kLowest, static_cast<double>(i) / kSteps);
    const double cosine = std::cos(2 * std::numbers::pi * hertz / kReverbRate);
    const double energy = gain * gain * (1 - pole) * (1 - pole) / (1 + pole * pole - 2 * pole * cosine);
    sum += energy / (1 - energy);
  }
  return sum / (kSteps + 1);
}

// Multiplies with an orthogonal matrix (Hadamard's) in place.
void scatter(std::array<float, 16>& values) {
  for (size_t step = 1; step < values.size(); step *= 2) {
    for (size_t i = 0; i < values.size(); i += 2 * step) {
      for (size_t k = i; k < i + step; ++k) {
        const float sum = values[k] + values[k + step];
        values[k + step] = values[k] - values[k + step];
        values[k] = sum;
      }
    }
  }
  for (float& value : values) value *= 0.25f;
}

int64_t samplesOf(double seconds) { return std::llround(seconds * kReverbRate); }

}  // namespace

Reverb::Reverb(const ReverbSettings& settings) {
  const double shortest = kMinShortest + (kMaxShortest - kMinShortest) * settings.size;
  const double brightness = 1 - (1 - kMinBrightness) * settings.damping;
  double passes = 0;
  for (size_t i = 0; i < kLines; ++i) {
    const double position = static_cast<double>(i) / (kLines - 1);
    const size_t length = primeFrom(shortest * kReverbRate * std::pow(kLongestToShortest, position));
    const auto samples = static_cast<double>(length);
    const double low = decayGain(samples, settings.decay);
    const double ratio = decayGain(samples, settings.decay * brightness) / low;
    const double pole = std::min(kMaxPole, (1 - ratio) / (1 + ratio));
    lines_[i].delay.samples.resize(length);
    lines_[i].pole = static_cast<float>(pole);
    lines_[i].gain = static_cast<float>(low * (1 - pole));
    passes += passesOf(low, pole) / kLines;
  }
  const double diffusion = std::min(1.0, settings.decay / kFullDiffusionDecay);
  for (size_t channel = 0; channel < 2; ++channel) {
    Input& input = inputs_[channel];
    input.preDelay.samples.resize(static_cast<size_t>(samplesOf(settings.preDelay)));
    for (size_t i = 0; i < kDiffusers; ++i)
      input.diffusers[i].samples.resize(primeFrom(diffusion * kDiffuserLengths[channel][i]));
  }
  // Each output has the energy of both channels as often as it passes the lines.
  evenGain_ = 1 / std::sqrt(2 * passes);
  setWet(settings.wet);
}

void Reverb::setWet(double wet) {
  const double share = std::sin(wet * std::numbers::pi / 2);
  dry_ = static_cast<float>(std::sqrt(1 - share * share));
  wet_ = static_cast<float>(share * evenGain_);
}

int64_t Reverb::settlingSamples(const ReverbSettings& settings) {
  return samplesOf(settings.preDelay + kEarlySeconds + kSettlingDecays * settings.decay);
}

int64_t Reverb::tailSamples(const ReverbSettings& settings) {
  return samplesOf(settings.preDelay + kEarlySeconds + kTailDecays * settings.decay);
}

int64_t Reverb::tailFadeSamples(const ReverbSettings& settings) {
  return samplesOf(kTailFadeDecays * settings.decay);
}

float Reverb::Input::next(float sample) {
  if (!preDelay.samples.empty()) {
    const float delayed = preDelay.oldest();
    preDelay.push(sample);
    sample = delayed;
  }
  for (size_t i = 0; i < kDiffusers; ++i) {
    const float delayed = diffusers[i].oldest();
    const float stored = audible(sample - kDiffuserGains[i] * delayed);
    diffusers[i].push(stored);
    sample = delayed + kDiffuserGains[i] * stored;
  }
  return sample;
}

void Reverb::process(float* left, float* right, int64_t count) {
  std::array<float, kLines> values;
  for (int64_t n = 0; n < count; ++n) {
    float sumLeft = 0, sumRight = 0;
    for (size_t i = 0; i < kLines; ++i) {
      Line& line = lines_[i];
      line.state = audible(line.gain * line.delay.oldest() + line.pole * line.state);
      values[i] = line.state;
      sumLeft += signOf(kOutputSigns[0], i) * values[i];
      sumRight += signOf(kOutputSigns[1], i) * values[i];
    }
    scatter(values);
    const float inLeft = inputs_[0].next(left[n]) / 4;
    const float inRight = inputs_[1].next(right[n]) / 4;
    for (size_t i = 0; i < kLines; ++i) {
      lines_[i].delay.push(values[i] + signOf(kInputSigns[0], i) * inLeft +
                           signOf(kInputSigns[1], i) * inRight);
    }
    left[n] = dry_ * left[n] + wet_ * sumLeft;
    right[n] = dry_ * right[n] + wet_ * sumRight;
  }
}

}  // namespace framewright
