#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/result.h"

namespace framewright {

enum class ImageType { kPng, kJpeg, kWebp, kGif, kBmp, kTiff, kAvif };

// What a still's own header says, read before any decoder sees the bytes.
struct ImageHeader {
  ImageType type = ImageType::kPng;
  int width = 0, height = 0;   // as stored
  int exifOrientation = 1;     // 1..8
  bool complete = true;        // the file holds the whole picture
  bool premultiplied = false;  // its colours are multiplied by its alpha
};

// "png", "jpeg" ...
const char* imageTypeName(ImageType type);

// By magic bytes alone; nothing when this is no still that the engine reads.
std::optional<ImageType> sniffImageType(std::span<const uint8_t> bytes);

// A name for well-known still formats that are not supported ("psd", "jxl", "heic" ...), or nullptr.
const char* sniffForeignImage(std::span<const uint8_t> bytes);

// Reads the header and checks that the whole picture is there: a JPEG must reach its end marker, a PNG its
// IEND chunk, a WebP the length in its RIFF header, a GIF its first frame's last block, a BMP its last row, a
// TIFF its directory. Fails with MEDIA_UNREADABLE (damaged), DECODE_FAILED (cut short) or MEDIA_UNSUPPORTED
// (too large, or of a kind that is not decoded).
Result<ImageHeader> readImageHeader(std::span<const uint8_t> bytes);

}  // namespace framewright
