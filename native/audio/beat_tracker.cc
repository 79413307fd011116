#include "audio/beat_tracker.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace framewright {
namespace {

constexpr double kMinTempo = 45, kMaxTempo = 215;
constexpr int kTemposOfOctave = 48;
// A normal distribution over the logarithm of the tempo: without and with an expected tempo.
constexpr double kUsualTempo = 120, kUsualOctaves = 1.3, kExpectedOctaves = 0.15;

constexpr double kTempogramWindow = 10, kTempogramHop = 1;  // s
constexpr int kMultiples = 4;                               // of the period, whose correlations add up
constexpr double kMultipleWeight = 0.9;                     // of a multiple, relative to the one before
constexpr double kSubdivision = 0.4;  // weight against tempi whose half or third of the period fits as well
constexpr double kTempoChange = 60;  // penalty of a change by an octave, for each hop; it grows as the square
constexpr double kMaxTempoChange = 15;  // and is not larger than that

constexpr double kTightness = 200;    // penalty of a beat e times as long as the period
constexpr double kSmoothing = 0.015;  // s
constexpr double kTrend = 0.4;        // s on each side: slower changes are none of onsets
constexpr double kLoudness = 4;       // s on each side that have the same strength
// A new sound is in the window before it is in its middle.
constexpr double kLatency = 0.0025;     // s
constexpr double kAudible = 0.35;       // strength of a beat, relative to that of all
constexpr double kAudibleReach = 0.04;  // s

constexpr double kUsualDeviation = 0.05;  // of a gap from the median

struct TempoPrior {
  double tempo = kUsualTempo, octaves = kUsualOctaves;

  double at(double value) const {
    const double distance = std::log2(value / tempo) / octaves;
    return std::exp(-distance * distance / 2);
  }
};

std::vector<double> tempoGrid() {
  std::vector<double> tempi;
  for (int i = 0;; ++i) {
    const double tempo = kMinTempo * std::exp2(static_cast<double>(i) / kTemposOfOctave);
    if (tempo > kMaxTempo) return tempi;
    tempi.push_back(tempo);
  }
}

// Without its slow changes, smoothed, and with the same strength in loud and quiet parts.
std::vector<double> normalized(std::span<const float> envelope, double rate) {
  const auto count = static_cast<int64_t>(envelope.size());
  std::vector<double> sums(envelope.size() + 1), result(envelope.size());
  for (size_t i = 0; i < envelope.size(); ++i) sums[i + 1] = sums[i] + envelope[i];
  const auto meanAround = [&](const std::vector<double>& totals, int64_t at, int64_t reach) {
    const int64_t first = std::max<int64_t>(0, at - reach), last = std::min(count, at + reach + 1);
    return (totals[static_cast<size_t>(last)] - totals[static_cast<size_t>(first)]) /
           static_cast<double>(last - first);
  };
  const auto trend = static_cast<int64_t>(kTrend * rate);
  for (int64_t i = 0; i < count; ++i) {
    const auto k = static_cast<size_t>(i);
    result[k] = std::max(0.0, envelope[k] - meanAround(sums, i, trend));
  }
  const int64_t reach = std::llround(3 * kSmoothing * rate);
  std::vector<double> smooth(result.size()), squares(result.size() + 1);
  for (int64_t i = 0; i < count; ++i) {
    double sum = 0, weights = 0;
    for (int64_t k = std::max<int64_t>(0, i - reach); k <= std::min(count - 1, i + reach); ++k) {
      const double distance = static_cast<double>(k - i) / rate / kSmoothing;
      const double weight = std::exp(-distance * distance / 2);
      sum += weight * result[static_cast<size_t>(k)];
      weights += weight;
    }
    smooth[static_cast<size_t>(i)] = sum / weights;
  }
  for (size_t i = 0; i < smooth.size(); ++i) squares[i + 1] = squares[i] + smooth[i] * smooth[i];
  const double overall = count == 0 ? 0 : squares.back() / static_cast<double>(count);
  if (overall < 1e-9) return {};
  const auto wide = static_cast<int64_t>(kLoudness * rate);
  for (int64_t i = 0; i < count; ++i) {
    const double local = meanAround(squares, i, wide);
    result[static_cast<size_t>(i)] = smooth[static_cast<size_t>(i)] / std::sqrt(local + 0.03 * overall);
  }
  return result;
}

double interpolated(const std::vector<double>& values, double at) {
  const auto index = static_cast<size_t>(at);
  if (index + 1 >= values.size()) return 0;
  const double part = at - static_cast<double>(index);
  return values[index] * (1 - part) + values[index + 1] * part;
}

// Autocorrelation around one moment, relative to that at lag 0.
std::vector<double> autocorrelation(const std::vector<double>& onsets, double rate, double seconds) {
  const auto half = static_cast<int64_t>(kTempogramWindow * rate / 2);
  const int64_t middle = std::llround(seconds * rate);
  const int64_t first = std::max<int64_t>(0, middle - half);
  const int64_t last = std::min(static_cast<int64_t>(onsets.size()), middle + half);
  const auto lags = static_cast<int64_t>(4 * 60 / kMinTempo * rate) + 2;
  std::vector<double> correlation(static_cast<size_t>(lags));
  if (first >= last) return correlation;
  std::vector<double> part(onsets.begin() + first, onsets.begin() + last);
  const double mean = std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(part.size());
  for (double& value : part) value -= mean;
  for (int64_t lag = 0; lag < std::min(lags, last - first); ++lag) {
    correlation[static_cast<size_t>(lag)] =
        std::inner_product(part.begin() + lag, part.end(), part.begin(), 0.0);
  }
  const double power = correlation[0] + 1e-9;
  for (double& value : correlation) value /= power;
  return correlation;
}

// How well each tempo of the grid fits.
std::vector<double> salience(const std::vector<double>& correlation, double rate,
                             const std::vector<double>& tempi, const TempoPrior& prior) {
  std::vector<double> result(tempi.size());
  for (size_t i = 0; i < tempi.size(); ++i) {
    const double lag = 60 / tempi[i] * rate;
    double periodic = 0;
    double weight = 1;
    for (int multiple = 1; multiple <= kMultiples; ++multiple) {
      periodic += weight * interpolated(correlation, multiple * lag);
      weight *= kMultipleWeight;
    }
    const double faster =
        std::max({0.0, interpolated(correlation, lag / 2), interpolated(correlation, lag / 3)});
    result[i] = std::max(0.0, periodic - kSubdivision * faster) * prior.at(tempi[i]);
  }
  return result;
}

// Beat period at each hop of the tempogram, in values of the envelope: the path of the largest salience with
// small changes.
std::vector<double> trackPeriods(const std::vector<double>& onsets, double rate, const TempoPrior& prior) {
  const std::vector<double> tempi = tempoGrid();
  const size_t hops = static_cast<size_t>(static_cast<double>(onsets.size()) / rate / kTempogramHop) + 1;
  std::vector<std::vector<int>> from(hops, std::vector<int>(tempi.size()));
  std::vector<double> score(tempi.size()), next(tempi.size());
  for (size_t hop = 0; hop < hops; ++hop) {
    const auto correlation = autocorrelation(onsets, rate, static_cast<double>(hop) * kTempogramHop);
    const auto strength = salience(correlation, rate, tempi, prior);
    for (size_t i = 0; i < tempi.size(); ++i) {
      double best = -1e300;
      for (size_t k = 0; k < tempi.size(); ++k) {
        const double octaves = (static_cast<double>(i) - static_cast<double>(k)) / kTemposOfOctave;
        const double value = score[k] - std::min(kTempoChange * octaves * octaves, kMaxTempoChange);
        if (value > best) best = value, from[hop][i] = static_cast<int>(k);
      }
      next[i] = best + strength[i];
    }
    score.swap(next);
  }
  auto state = static_cast<size_t>(std::max_element(score.begin(), score.end()) - score.begin());
  std::vector<double> periods(hops);
  for (size_t hop = hops; hop-- > 0;) {
    periods[hop] = 60 / tempi[state] * rate;
    state = static_cast<size_t>(from[hop][state]);
  }
  return periods;
}

// Dynamic programming: each value has the score of the best sequence of beats that ends there.
std::vector<int64_t> bestSequence(const std::vector<double>& onsets, const std::vector<double>& periods,
                                  double rate) {
  const auto count = static_cast<int64_t>(onsets.size());
  std::vector<double> score(onsets.size());
  std::vector<int64_t> before(onsets.size(), -1);
  const auto periodAt = [&](int64_t at) {
    const double hop = static_cast<double>(at) / rate / kTempogramHop;
    const auto index = std::min(static_cast<size_t>(hop), periods.size() - 1);
    const size_t after = std::min(index + 1, periods.size() - 1);
    const double part = std::clamp(hop - static_cast<double>(index), 0.0, 1.0);
    return periods[index] * (1 - part) + periods[after] * part;
  };
  for (int64_t i = 0; i < count; ++i) {
    const double period = periodAt(i);
    const int64_t nearest = std::llround(period / 2), farthest = std::llround(period * 2);
    double best = 0;
    int64_t previous = -1;
    for (int64_t lag = nearest; lag <= std::min(farthest, i); ++lag) {
      const double stretch = std::log(static_cast<double>(lag) / period);
      const double value = score[static_cast<size_t>(i - lag)] - kTightness * stretch * stretch;
      if (value > best) best = value, previous = i - lag;
    }
    score[static_cast<size_t>(i)] = best + onsets[static_cast<size_t>(i)];
    before[static_cast<size_t>(i)] = previous;
  }
  const auto tail = std::max<int64_t>(0, count - std::llround(periodAt(count) * 1.5));
  int64_t at = std::max_element(score.begin() + tail, score.end()) - score.begin();
  std::vector<int64_t> beats;
  for (; at >= 0; at = before[static_cast<size_t>(at)]) beats.push_back(at);
  std::reverse(beats.begin(), beats.end());
  return beats;
}

// Removes beats before the music starts and after it ends, where no onset is near.
void trimSilent(const std::vector<double>& onsets, double rate, std::vector<int64_t>& beats) {
  double squares = 0;
  for (const int64_t beat : beats) {
    const double strength = onsets[static_cast<size_t>(beat)];
    squares += strength * strength;
  }
  const double limit = kAudible * std::sqrt(squares / static_cast<double>(std::max<size_t>(1, beats.size())));
  const int64_t reach = std::llround(kAudibleReach * rate);
  const auto isAudible = [&](int64_t beat) {
    const int64_t first = std::max<int64_t>(0, beat - reach);
    const int64_t end = std::min(beat + reach + 1, static_cast<int64_t>(onsets.size()));
    return *std::max_element(onsets.begin() + first, onsets.begin() + end) > limit;
  };
  while (!beats.empty() && !isAudible(beats.back())) beats.pop_back();
  beats.erase(beats.begin(), std::find_if(beats.begin(), beats.end(), isAudible));
}

// The mean of the gaps near the median, because each is a multiple of an envelope's step.
double tempoOf(const std::vector<double>& times) {
  std::vector<double> gaps;
  for (size_t i = 1; i < times.size(); ++i) gaps.push_back(times[i] - times[i - 1]);
  const auto middle = gaps.begin() + static_cast<ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  const double median = *middle;
  double sum = 0, count = 0;
  for (const double gap : gaps) {
    if (std::abs(gap - median) > kUsualDeviation * median) continue;
    sum += gap;
    count += 1;
  }
  return 60 * count / sum;
}

}  // namespace

Beats trackBeats(std::span<const float> envelope, double rate, std::optional<double> expectedTempo) {
  const TempoPrior prior = expectedTempo ? TempoPrior{*expectedTempo, kExpectedOctaves} : TempoPrior{};
  const std::vector<double> onsets = normalized(envelope, rate);
  if (onsets.empty()) return {};
  std::vector<int64_t> beats = bestSequence(onsets, trackPeriods(onsets, rate, prior), rate);
  trimSilent(onsets, rate, beats);
  if (beats.size() < 2) return {};
  Beats result;
  for (const int64_t beat : beats) result.times.push_back(static_cast<double>(beat) / rate + kLatency);
  result.tempo = tempoOf(result.times);
  return result;
}

}  // namespace framewright
