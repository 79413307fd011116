#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/geometry.h"
#include "core/mastering_display.h"
#include "core/result.h"

namespace framewright {

// Content of a file that is not rendered.
enum class OmittedContent {
  kAnimation,    // of an AVIF file: its first image is shown
  kAudio,        // of a video, which cannot be decoded
  kAudioTracks,  // other ones than that which is played
  kEnd,          // of a file that stops within its data and declares no length
};

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
  std::string hdr;                            // "hlg" or "pq"; empty: SDR
  std::optional<MasteringDisplay> mastering;  // of PQ videos
  std::vector<OmittedContent> omitted;
};

// Reads the metadata of an image, video or audio file. Fails with MEDIA_UNREADABLE or MEDIA_UNSUPPORTED;
// messages do not contain the path. Any thread.
Result<MediaMetadata> probe(const std::string& path);

}  // namespace framewright
