#pragma once

#include <optional>
#include <string>

#include "core/geometry.h"
#include "core/result.h"

namespace framewright {

// Metadata of a media file, read without decoding all of it.
struct MediaMetadata {
  enum class Kind { kImage, kVideo, kAudio };
  Kind kind = Kind::kImage;
  std::string container;       // e.g. "mp4", "png"
  std::string videoCodec;      // empty: no video
  std::string audioCodec;      // empty: no audio
  int width = 0, height = 0;   // display size: rotated, with square pixels; 0: audio only
  double durationSeconds = 0;  // of an animated image one loop; 0: still
  std::optional<int> plays;    // loop count of an animated image only; 0: endless
  Rational frameRate{0, 1};    // average; 0: image
  bool hasAudio = false;
  std::string hdr;  // "hlg" or "pq"; empty: SDR
};

// Reads the metadata of an image, video or audio file. Fails with MEDIA_UNREADABLE or MEDIA_UNSUPPORTED;
// messages do not contain the path. Any thread.
Result<MediaMetadata> probe(const std::string& path);

}  // namespace framewright
