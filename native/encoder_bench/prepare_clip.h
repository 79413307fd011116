#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"
#include "encoder_bench/y4m_file.h"

namespace framewright {

// Header and length of a Y4M clip.
struct ClipMetadata {
  Y4mHeader header;
  int64_t frames = 0;
};

// Reads the size, frame rate and number of frames of a Y4M file.
Result<ClipMetadata> readClip(const std::string& path);

// Decodes the first `frames` frames (0: all) of a media file, at its own frame rate, into a Y4M file.
// Fails with MEDIA_UNREADABLE, MEDIA_UNSUPPORTED, DECODE_FAILED or IO_FAILED.
Result<ClipMetadata> prepareClip(const std::string& media, int64_t frames, const std::string& path);

}  // namespace framewright
