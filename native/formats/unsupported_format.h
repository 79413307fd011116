#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"

namespace framewright {

// Number of leading bytes that identify text formats.
inline constexpr int kSignatureBytes = 4096;

// Name of a document, playlist, subtitle or other text format that is not media ("svg", "hls", "pdf" ...), or
// nullptr. Checked before libav probes the file, because most of these formats reference other files.
const char* sniffForeignText(std::span<const uint8_t> bytes);

// Fails with MEDIA_UNSUPPORTED if the bytes start such a format; names the format and the allowed ones.
Status rejectForeignText(std::span<const uint8_t> bytes);

}  // namespace framewright
