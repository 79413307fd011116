#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"
#include "encoder_bench/y4m_file.h"

namespace framewright {

struct ClipFacts {
  Y4mHeader header;
  int64_t frames = 0;
};

// Size, rate and number of pictures of a Y4M file.
Result<ClipFacts> readClip(const std::string& path);

// Decodes the first `frames` pictures (0: all) of a media file, at the rate that it has, into a Y4M file.
// Fails with MEDIA_UNREADABLE, MEDIA_UNSUPPORTED, DECODE_FAILED or IO_FAILED.
Result<ClipFacts> prepareClip(const std::string& media, int64_t frames, const std::string& path);

}  // namespace framewright
