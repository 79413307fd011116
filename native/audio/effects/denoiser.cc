#include "audio/effects/denoiser.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "audio/effects/valid_sample.h"

namespace framewright {
namespace {

constexpr float kMemory = 0.98f;    // of the speech of the frame before in the estimate of the ratio
constexpr float kMinRatio = 3e-3f;  // of speech to noise, -25 dB

// Half of the exponential integral E1, whose exponential function is a factor of the gain. By Abramowitz and
// Stegun 5.1.53 and 5.1.56.
float halfExponentialIntegral(float x) {
  x = std::max(x, 1e-4f);
  if (x > 20) return 0;
  if (x <= 1) {
    const float series =
        -0.57721566f +
        x * (0.99999193f + x * (-0.24991055f + x * (0.05519968f + x * (-0.00976004f + x * 0.00107857f))));
    return (series - std::log(x)) / 2;
  }
  const float above = 0.2677737343f + x * (8.6347608925f + x * (18.0590169730f + x * (8.5733287401f + x)));
  const float below = 3.9584969228f + x * (21.0996530827f + x * (25.6329561486f + x * (9.5733223454f + x)));
  return std::exp(-x) / x * above / below / 2;
}

}  // namespace

Denoiser::Denoiser(double reduction)
    : floor_(static_cast<float>(std::pow(10, -reduction / 20))),
      window_(kWindow),
      input_(kWindow),
      overlap_(kWindow),
      gains_(kBins, 1.0f),
      speech_(kBins) {
  // Its squares add up to 2 at this hop, which the transforms and filterNext() divide by.
  for (size_t i = 0; i < kWindow; ++i) {
    const double phase = 2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / kWindow;
    window_[i] = static_cast<float>(std::sqrt((1 - std::cos(phase)) / 2));
  }
}

Result<int64_t> Denoiser::read(float* left, float* right, int64_t count, const SampleSource& source) {
  int64_t done = 0;
  while (done < count) {
    if (output_.empty()) {
      if (hasEnded_ && made_ == fed_) break;
      FW_RETURN_IF_ERROR(feed(source));
      continue;
    }
    left[done] = output_.front().real();
    right[done] = output_.front().imag();
    output_.pop_front();
    ++made_;
    ++done;
  }
  return done;
}

// Reads until the noise around the next frame is known, and filters that frame.
Status Denoiser::feed(const SampleSource& source) {
  while (!hasEnded_ && !noise_.isKnown(filtered_)) {
    float left[kHop] = {}, right[kHop] = {};
    FW_ASSIGN_OR_RETURN(const int64_t got, source(left, right, kHop));
    std::rotate(input_.begin(), input_.begin() + kHop, input_.end());
    for (size_t i = 0; i < kHop; ++i)
      input_[kWindow - kHop + i] = {validSample(left[i]), validSample(right[i])};
    const bool startsInside = fed_ >= static_cast<int64_t>(kWindow - kHop);
    fed_ += got;
    hasEnded_ = got < static_cast<int64_t>(kHop);
    analyze(startsInside && !hasEnded_);
    if (!hasEnded_) continue;
    // The last windows reach beyond the end.
    for (size_t k = 1; k < kHops; ++k) {
      std::rotate(input_.begin(), input_.begin() + kHop, input_.end());
      std::fill(input_.end() - kHop, input_.end(), std::complex<float>());
      analyze(false);
    }
  }
  filterNext();
  return {};
}

void Denoiser::analyze(bool isComplete) {
  Frame frame{std::vector<std::complex<float>>(kWindow), std::vector<float>(kBins)};
  for (size_t i = 0; i < kWindow; ++i) frame.spectrum[i] = input_[i] * window_[i];
  transform_.transform(frame.spectrum.data());
  for (size_t k = 0; k < kBins; ++k) {
    const size_t mirrored = (kWindow - k) % kWindow;
    frame.power[k] = (std::norm(frame.spectrum[k]) + std::norm(frame.spectrum[mirrored])) / 2;
  }
  noise_.add(frame.power, isComplete);
  frames_.push_back(std::move(frame));
}

void Denoiser::filterNext() {
  Frame frame = std::move(frames_.front());
  frames_.pop_front();
  computeGains(frame.power, noise_.at(filtered_));
  // The transform of the conjugate is the conjugate of the inverse.
  for (size_t k = 0; k < kWindow; ++k)
    frame.spectrum[k] = std::conj(frame.spectrum[k]) * gains_[std::min(k, kWindow - k)];
  transform_.transform(frame.spectrum.data());
  constexpr float kScale = 0.5f / kWindow;
  for (size_t i = 0; i < kWindow; ++i) overlap_[i] += std::conj(frame.spectrum[i]) * (window_[i] * kScale);
  // The first windows begin before the sound.
  ++filtered_;
  if (filtered_ >= static_cast<int64_t>(kHops)) {
    const int64_t missing = fed_ - made_ - static_cast<int64_t>(output_.size());
    const int64_t count = hasEnded_ ? std::min<int64_t>(kHop, missing) : kHop;
    output_.insert(output_.end(), overlap_.begin(), overlap_.begin() + count);
  }
  std::rotate(overlap_.begin(), overlap_.begin() + kHop, overlap_.end());
  std::fill(overlap_.end() - kHop, overlap_.end(), std::complex<float>());
}

// Minimum mean-square error of the logarithmic amplitude, with the decision-directed ratio of speech to noise
// (Ephraim and Malah 1985), which leaves no musical noise.
void Denoiser::computeGains(std::span<const float> power, std::span<const float> noise) {
  for (size_t k = 0; k < kBins; ++k) {
    if (noise[k] <= 0) {
      gains_[k] = 1;
      speech_[k] = power[k];
      continue;
    }
    const float after = std::min(power[k] / noise[k], 1e4f);
    const float before =
        std::max(kMemory * std::min(speech_[k] / noise[k], 1e4f) + (1 - kMemory) * std::max(after - 1, 0.0f),
                 kMinRatio);
    const float wiener = before / (1 + before);
    const float gain = std::min(1.0f, wiener * std::exp(halfExponentialIntegral(wiener * after)));
    speech_[k] = gain * gain * power[k];
    gains_[k] = std::max(gain, floor_);
  }
}

}  // namespace framewright
