#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/result.h"
#include "formats/image_header.h"

namespace framewright {

// What becomes of a frame's place before the next one is drawn.
enum class Disposal { kKeep, kClear, kRestore };

struct AnimationFrame {
  int x = 0, y = 0, width = 0, height = 0;  // on the canvas; may hang over its edges
  int64_t startUs = 0;                      // from the animation's start
  Disposal disposal = Disposal::kKeep;
  bool blends = true;               // lies on what is there; otherwise takes its place
  int transparentIndex = -1;        // GIF: into its palette
  uint64_t offset = 0, length = 0;  // its bytes in the file
};

// A file of several pictures over time, as its tables have it.
struct Animation {
  ImageHeader header;
  int plays = 1;  // rounds; 0: without end
  std::vector<AnimationFrame> frames;
  int64_t endUs = 0;            // of one round
  std::vector<uint8_t> shared;  // what the stills of all frames have in common
};

// Nothing when the file holds one picture alone. A frame that says 10 ms or less lasts 100 ms, as in
// browsers. Fails with what readImageHeader() fails with, DECODE_FAILED when the file ends within a frame,
// and MEDIA_UNSUPPORTED when there is more to decode than is allowed.
Result<std::optional<Animation>> readAnimation(std::span<const uint8_t> file);

// A frame as a still file of its own, from its bytes. Fails with DECODE_FAILED when they are damaged.
Result<std::vector<uint8_t>> stillOfFrame(const Animation& animation, const AnimationFrame& frame,
                                          std::span<const uint8_t> bytes);

}  // namespace framewright
