#include "audio/effects/equalizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace framewright {
namespace {

constexpr double kEqualizerRate = 48000;
// Smaller state is silence, and would be denormal soon.
constexpr double kSilence = 1e-30;

}  // namespace

Equalizer::Equalizer(std::span<const EqualizerBand> bands) {
  for (const EqualizerBand& band : bands) filters_.push_back(filterOf(band));
}

// Robert Bristow-Johnson's Audio EQ Cookbook.
Equalizer::Filter Equalizer::filterOf(const EqualizerBand& band) {
  using enum EqualizerBand::Type;
  const double w = 2 * std::numbers::pi * band.frequency / kEqualizerRate;
  const double cosine = std::cos(w);
  const double alpha = std::sin(w) / (2 * band.q);
  const double a = std::pow(10, band.gain / 40);
  const double slope = 2 * std::sqrt(a) * alpha;
  const auto normalized = [](double b0, double b1, double b2, double a0, double a1, double a2) {
    return Filter{b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0, {}};
  };
  switch (band.type) {
    case kLowShelf:
      return normalized(a * (a + 1 - (a - 1) * cosine + slope), 2 * a * (a - 1 - (a + 1) * cosine),
                        a * (a + 1 - (a - 1) * cosine - slope), a + 1 + (a - 1) * cosine + slope,
                        -2 * (a - 1 + (a + 1) * cosine), a + 1 + (a - 1) * cosine - slope);
    case kHighShelf:
      return normalized(a * (a + 1 + (a - 1) * cosine + slope), -2 * a * (a - 1 + (a + 1) * cosine),
                        a * (a + 1 + (a - 1) * cosine - slope), a + 1 - (a - 1) * cosine + slope,
                        2 * (a - 1 - (a + 1) * cosine), a + 1 - (a - 1) * cosine - slope);
    case kHighPass:
      return normalized((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2, 1 + alpha, -2 * cosine, 1 - alpha);
    case kLowPass:
      return normalized((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2, 1 + alpha, -2 * cosine, 1 - alpha);
    case kPeak:
      break;
  }
  return normalized(1 + alpha * a, -2 * cosine, 1 - alpha * a, 1 + alpha / a, -2 * cosine, 1 - alpha / a);
}

void Equalizer::set(std::span<const EqualizerBand> bands) {
  for (size_t i = 0; i < filters_.size() && i < bands.size(); ++i) {
    Filter changed = filterOf(bands[i]);
    std::copy(&filters_[i].state[0][0], &filters_[i].state[0][0] + 4, &changed.state[0][0]);
    filters_[i] = changed;
  }
}

void Equalizer::process(float* left, float* right, int64_t count) {
  float* const channels[] = {left, right};
  for (Filter& filter : filters_) {
    for (int channel = 0; channel < 2; ++channel) {
      auto [first, second] = filter.state[channel];
      float* const samples = channels[channel];
      for (int64_t i = 0; i < count; ++i) {
        const double in = samples[i];
        const double out = filter.b0 * in + first;
        first = filter.b1 * in - filter.a1 * out + second;
        second = filter.b2 * in - filter.a2 * out;
        if (std::abs(first) < kSilence) first = 0;
        if (std::abs(second) < kSilence) second = 0;
        samples[i] = static_cast<float>(out);
      }
      filter.state[channel][0] = first;
      filter.state[channel][1] = second;
    }
  }
}

}  // namespace framewright
