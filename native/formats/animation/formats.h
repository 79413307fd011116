#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/animation/animation.h"

// What differs from format to format. Files have passed readImageHeader().
namespace framewright {

// A frame as the file has it, with its length in seconds still unrounded.
struct FoundFrame {
  AnimationFrame frame;
  double seconds = 0;
};

// All frames that are there, in order: one, or none where the format has a table for animations alone.
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
// There are more frames than any player shows; the search for them stops.
Error tooManyFrames();
inline constexpr size_t kMaxAnimationFrames = 20'000;

}  // namespace framewright
