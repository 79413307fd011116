#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image.h"
#include "core/result.h"

namespace framewright {

// A picture's file, of the types of image_header.h (its first picture), as an upright Image: opaque 4:2:0 as
// kI420, everything else as kRgbaStraight. A file that is cut short fails with DECODE_FAILED instead of
// showing a grey rest.
Result<ImagePtr> decodeStill(const std::string& path);

struct StillSize {
  int width = 0, height = 0;
};
enum class StillColors { kAsStored, kStraight };  // kStraight: kRgbaStraight, whatever the file has
// The same from the file's bytes. A picture of another size than `size` fails with MEDIA_UNREADABLE, where
// its header says so before it is decoded.
Result<ImagePtr> decodeStillBytes(std::vector<uint8_t> bytes, StillSize size,
                                  StillColors colors = StillColors::kAsStored);

}  // namespace framewright
