#include "audio/spectrum_bands.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace framewright {
namespace {

constexpr double kLowest = 60, kHighest = 14000;  // Hz
constexpr double kBinHz = 48000.0 / SpectrumBands::kWindow;

// Lower edge of a band in bins.
double edgeOf(size_t band) {
  return kLowest * std::pow(kHighest / kLowest, static_cast<double>(band) / SpectrumBands::kCount) / kBinHz;
}

}  // namespace

SpectrumBands::SpectrumBands() : transform_(kWindow), window_(kWindow), values_(kWindow) {
  for (size_t i = 0; i < window_.size(); ++i) {
    window_[i] = static_cast<float>(
        0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / kWindow));
    windowPower_ += window_[i] * window_[i];
  }
}

SpectrumBands::Levels SpectrumBands::measure(const float* samples) {
  for (size_t i = 0; i < values_.size(); ++i) values_[i] = samples[i] * window_[i];
  transform_.transform(values_.data());
  Levels levels{};
  for (size_t band = 0; band < kCount; ++band) {
    // A bin stands for the frequencies half a bin around it.
    const double low = edgeOf(band) + 0.5, high = edgeOf(band + 1) + 0.5;
    double power = 0;
    for (auto bin = static_cast<size_t>(low); static_cast<double>(bin) < high; ++bin) {
      const double share =
          std::min(high, static_cast<double>(bin + 1)) - std::max(low, static_cast<double>(bin));
      power += share * std::norm(values_[bin]);
    }
    levels[band] = static_cast<float>(std::sqrt(2 * power / (kWindow * windowPower_)));
  }
  return levels;
}

}  // namespace framewright
