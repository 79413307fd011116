#include "audio/effects/noise_floor.h"

#include <algorithm>
#include <limits>

namespace framewright {
namespace {

constexpr int64_t kBlock = 24;  // frames
constexpr int64_t kReachBlocks = NoiseFloor::kReach / kBlock;
constexpr float kFrameMemory = 0.85f;    // share of the frame before
constexpr int64_t kFirstFrames = 12;     // not yet smooth
constexpr float kNoiseSmoothing = 0.9f;  // of the estimates of successive blocks
constexpr float kBias = 2.0f;            // of the mean to the minimum, for noise
constexpr float kUnknown = std::numeric_limits<float>::max();
constexpr float kDigitalSilence = 1e-16f;  // power

}  // namespace

NoiseFloor::NoiseFloor(size_t bins) : minimum_(bins, kUnknown) {}

void NoiseFloor::add(std::span<const float> power, bool isComplete) {
  const size_t bins = minimum_.size();
  if (isComplete) {
    if (smoothed_.empty()) smoothed_.assign(power.begin(), power.end());
    const bool isSmooth = ++completeCount_ > kFirstFrames;
    for (size_t k = 0; k < bins; ++k) {
      // Neighbours lie within the same noise.
      const float mean = (power[k == 0 ? 1 : k - 1] + power[k] + power[k + 1 == bins ? k - 1 : k + 1]) / 3;
      smoothed_[k] += (1 - kFrameMemory) * (mean - smoothed_[k]);
      if (isSmooth && mean > kDigitalSilence)
        minimum_[k] = std::min(minimum_[k], std::max(smoothed_[k], kDigitalSilence));
    }
  }
  if (++count_ % kBlock == 0) closeBlock();
}

void NoiseFloor::closeBlock() {
  minima_.push_back(minimum_);
  std::fill(minimum_.begin(), minimum_.end(), kUnknown);
}

bool NoiseFloor::isKnown(int64_t frame) const { return count_ / kBlock > frame / kBlock + kReachBlocks; }

std::span<const float> NoiseFloor::at(int64_t frame) {
  const int64_t block = frame / kBlock;
  if (block != estimated_) estimate(block);
  if (noise_.empty()) noise_ = target_;
  for (size_t k = 0; k < noise_.size(); ++k) noise_[k] += (1 - kNoiseSmoothing) * (target_[k] - noise_[k]);
  return noise_;
}

void NoiseFloor::estimate(int64_t block) {
  estimated_ = block;
  while (firstBlock_ < block - kReachBlocks && !minima_.empty()) {
    minima_.pop_front();
    ++firstBlock_;
  }
  // At the end, the block that is not whole counts, too.
  target_ = minimum_;
  const int64_t count =
      std::min<int64_t>(static_cast<int64_t>(minima_.size()), block + kReachBlocks + 1 - firstBlock_);
  if (firstBlock_ + static_cast<int64_t>(minima_.size()) > block + kReachBlocks)
    std::fill(target_.begin(), target_.end(), kUnknown);
  for (int64_t i = 0; i < count; ++i) {
    const std::vector<float>& minimum = minima_[static_cast<size_t>(i)];
    for (size_t k = 0; k < target_.size(); ++k) target_[k] = std::min(target_[k], minimum[k]);
  }
  for (float& noise : target_) noise = noise == kUnknown ? 0 : noise * kBias;
}

}  // namespace framewright
