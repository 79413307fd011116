#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/animation/animation.h"

// Functions per format. All files have passed readImageHeader().
namespace framewright {

// A frame and its duration.
struct FoundFrame {
  AnimationFrame frame;
  double seconds = 0;
};

// All frames in order; one or none for files that are not animated.
struct FoundFrames {
  int plays = 1;
  std::vector<FoundFrame> frames;
  std::vector<uint8_t> shared;
};

Result<FoundFrames> findGifFrames(std::span<const uint8_t> file);
Result<FoundFrames> findPngFrames(std::span<const uint8_t> file);
Result<FoundFrames> findWebpFrames(std::span<const uint8_t> file);

Result<std::vector<uint8_t>> gifStill(const Animation& animation, const AnimationFrame& frame,
                                      std::span<const uint8_t> bytes);
Result<std::vector<uint8_t>> pngStill(const Animation& animation, const AnimationFrame& frame,
                                      std::span<const uint8_t> bytes);
Result<std::vector<uint8_t>> webpStill(const AnimationFrame& frame, std::span<const uint8_t> bytes);

Error damagedFrame(ImageType type);
// Stops the search when the file has more than kMaxAnimationFrames.
Error tooManyFrames();
inline constexpr size_t kMaxAnimationFrames = 20'000;

}  // namespace framewright
