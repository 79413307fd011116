#pragma once

#include <cstdint>
#include <span>

namespace framewright {

// Sets the duration of the last frame of an animated WebP file so that the animation lasts `totalMs`; libwebp
// guesses that duration. Ignores bytes that are no such file.
void setLastWebpDelay(std::span<uint8_t> file, int64_t totalMs);

}  // namespace framewright
