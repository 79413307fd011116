#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/canvas_color.h"
#include "core/image.h"
#include "core/result.h"

namespace framewright {

// Decodes an image file of a type in image_header.h, of an animation its first frame, in display orientation:
// opaque 4:2:0 as kI420, everything else as kRgbaStraight. For a canvas of 10 bits images that have more than
// 8 bits or are HDR become kI010 in its colors, or with alpha or an ICC profile kRgba16Straight. A truncated
// file fails with DECODE_FAILED.
Result<ImagePtr> decodeStill(const std::string& path, std::optional<CanvasTransfer> canvas = std::nullopt);

struct StillSize {
  int width = 0, height = 0;
};
enum class StillColors { kAsStored, kStraight };  // kStraight: always kRgbaStraight
// Decodes an image file in memory. Fails with MEDIA_UNREADABLE, if possible before decoding, when its size is
// not `size`.
Result<ImagePtr> decodeStillBytes(std::vector<uint8_t> bytes, StillSize size,
                                  StillColors colors = StillColors::kAsStored);

}  // namespace framewright
