#pragma once

#include <cstdint>
#include <span>

#include "formats/image_header.h"

// Header parsers per format. Files have been recognised by sniffImageType().
namespace framewright {

// Fails with MEDIA_UNSUPPORTED, naming the compression or depth, for files that cannot be decoded.
Result<ImageHeader> readBmpHeader(std::span<const uint8_t> file);
// Reads the first image of a TIFF. Supported: strips of grey, palette, RGB or CMYK; uncompressed, LZW,
// deflate, PackBits or fax. Fails like readBmpHeader().
Result<ImageHeader> readTiffHeader(std::span<const uint8_t> file);

// Removes all fields from a TIFF's first directory except those that describe the pixel data, sorts and
// deduplicates these, and removes further directories: libav's decoder fails on unknown fields when strict
// error detection is on.
void keepOnlyPixelFields(std::span<uint8_t> tiff);

// The orientation in a TIFF structure such as EXIF data; 1 if absent.
int tiffOrientation(std::span<const uint8_t> tiff);

Error damagedHeader(ImageType type);
Error truncatedImage(ImageType type);
// `what` follows the format's name: "a tiff `with JPEG images` is not supported".
Error unsupportedKind(ImageType type, const std::string& what);

}  // namespace framewright
