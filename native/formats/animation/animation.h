#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/result.h"
#include "formats/image_header.h"

namespace framewright {

// What happens to a frame's area before the next frame is drawn.
enum class Disposal { kKeep, kClear, kRestore };

struct AnimationFrame {
  int x = 0, y = 0, width = 0, height = 0;  // on the canvas; may exceed its edges
  int64_t startUs = 0;                      // from the start of the animation
  Disposal disposal = Disposal::kKeep;
  bool blends = true;               // alpha-blended over the canvas; otherwise replaces its area
  int transparentIndex = -1;        // GIF: index into the palette; -1: none
  uint64_t offset = 0, length = 0;  // range of its data in the file
};

// An animated image file.
struct Animation {
  ImageHeader header;
  int plays = 1;  // number of plays; 0: infinite
  std::vector<AnimationFrame> frames;
  int64_t endUs = 0;            // duration of one play
  std::vector<uint8_t> shared;  // data that every frame's still file needs
};

// Parses the frame table of an animation without decoding; nothing for files with a single frame. Frame
// durations of 10 ms or less become 100 ms, as in browsers. Fails like readImageHeader(), with DECODE_FAILED
// when the file is truncated within a frame, and with MEDIA_UNSUPPORTED when limits are exceeded.
Result<std::optional<Animation>> readAnimation(std::span<const uint8_t> file);

// Builds a still image file of one frame from the frame's bytes. Fails with DECODE_FAILED when they are
// damaged.
Result<std::vector<uint8_t>> stillFileOf(const Animation& animation, const AnimationFrame& frame,
                                         std::span<const uint8_t> bytes);

}  // namespace framewright
