#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"

namespace framewright {

// How many of a file's first bytes tell what it is, where it is a text.
inline constexpr int kSignatureBytes = 4096;

// A name for documents, playlists, subtitles and other texts that people take for media ("svg", "hls", "pdf"
// ...), or nullptr. They are known before a parser of libav looks at them: most of them name other files.
const char* sniffForeignText(std::span<const uint8_t> bytes);

// Fails with MEDIA_UNSUPPORTED, naming the format and what is allowed.
Status rejectForeignText(std::span<const uint8_t> bytes);

}  // namespace framewright
