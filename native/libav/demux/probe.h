#pragma once

#include <optional>
#include <string>

#include "core/geometry.h"
#include "core/result.h"

namespace framewright {

// What a media file is, read without decoding all of it.
struct MediaMetadata {
  enum class Kind { kImage, kVideo, kAudio };
  Kind kind = Kind::kImage;
  std::string container;       // e.g. "mp4", "png"
  std::string videoCodec;      // empty without picture
  std::string audioCodec;      // empty without sound
  int width = 0, height = 0;   // as shown: after rotation, with square pixels; 0 without picture
  double durationSeconds = 0;  // of an animated picture one round; 0 for stills
  std::optional<int> plays;    // rounds of an animated picture, 0: without end; nothing else has them
  Rational frameRate{0, 1};    // average; 0 for stills
  bool hasAudio = false;
};

// Opens the file through our own AVIO with the demuxer and decoder whitelists. Fails with
// MEDIA_UNREADABLE or MEDIA_UNSUPPORTED; messages do not name the path (the caller knows the element).
Result<MediaMetadata> probe(const std::string& path);

}  // namespace framewright
