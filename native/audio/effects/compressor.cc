#include "audio/effects/compressor.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr double kCompressorRate = 48000;
constexpr double kFloor = 1e-9;                          // -180 dBFS, below any threshold
constexpr double kNegligible = 1e-9;                     // dB; smaller state would be denormal soon
constexpr double kSettlingConstants = 20;                // time constants; 60 dB become 1e-7 dB
constexpr double kDecibelsOfOctave = 6.020599913279624;  // 20 log10 2

double remainder(double seconds) { return std::exp(-1 / (seconds * kCompressorRate)); }

}  // namespace

Compressor::Compressor(const CompressorSettings& settings)
    : threshold_(settings.threshold),
      knee_(settings.knee),
      slope_(1 - 1 / settings.ratio),
      makeup_(settings.makeup),
      attack_(remainder(settings.attack)),
      release_(remainder(settings.release)) {}

int64_t Compressor::settlingSamples(const CompressorSettings& settings) {
  return std::llround(kSettlingConstants * (settings.attack + settings.release) * kCompressorRate);
}

double Compressor::reductionAt(double decibels) const {
  const double over = decibels - threshold_;
  if (2 * over <= -knee_) return 0;
  if (2 * over >= knee_) return slope_ * over;
  return slope_ * (over + knee_ / 2) * (over + knee_ / 2) / (2 * knee_);
}

// The release applies to an envelope with instant attack, and the attack to its result, so that the reduction
// of a steady tone is exactly that of its peaks.
void Compressor::process(float* left, float* right, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const double level = std::max({std::abs(double{left[i]}), std::abs(double{right[i]}), kFloor});
    const double reduction = reductionAt(kDecibelsOfOctave * std::log2(level));
    peak_ = std::max(reduction, release_ * peak_ + (1 - release_) * reduction);
    reduction_ = attack_ * reduction_ + (1 - attack_) * peak_;
    if (peak_ < kNegligible) peak_ = 0;
    if (reduction_ < kNegligible) reduction_ = 0;
    const double gain = std::exp2((makeup_ - reduction_) / kDecibelsOfOctave);
    left[i] = static_cast<float>(left[i] * gain);
    right[i] = static_cast<float>(right[i] * gain);
  }
}

}  // namespace framewright
