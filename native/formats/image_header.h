#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/result.h"

namespace framewright {

enum class ImageType { kPng, kJpeg, kWebp, kGif, kBmp, kTiff, kAvif, kHeic };

// The header of a still image, parsed before a decoder reads the file.
struct ImageHeader {
  ImageType type = ImageType::kPng;
  int width = 0, height = 0;   // as stored
  int exifOrientation = 1;     // 1..8
  bool complete = true;        // no truncation detected
  bool premultiplied = false;  // colours are multiplied by alpha
};

// "png", "jpeg" ...
const char* imageTypeName(ImageType type);

// Detects the type from magic bytes; nothing for other files.
std::optional<ImageType> sniffImageType(std::span<const uint8_t> bytes);

// Name of a well-known image format that is not supported ("psd", "jxl" ...), or nullptr.
const char* sniffForeignImage(std::span<const uint8_t> bytes);

// Parses the header and checks that the file is complete: a JPEG must reach its end marker, a PNG its IEND
// chunk, a WebP the length in its RIFF header, a GIF its first frame's last block, a BMP its last row, a TIFF
// its directory. Fails with MEDIA_UNREADABLE (damaged), DECODE_FAILED (truncated) or MEDIA_UNSUPPORTED (too
// large or not decodable).
Result<ImageHeader> readImageHeader(std::span<const uint8_t> bytes);

}  // namespace framewright
