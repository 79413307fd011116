#pragma once

#include <cstdint>
#include <span>

#include "formats/image_header.h"

// What judges one format each. Files have been recognised by sniffImageType().
namespace framewright {

// Fails with MEDIA_UNSUPPORTED for what is packed in a way that is not decoded, naming it.
Result<ImageHeader> readBmpHeader(std::span<const uint8_t> file);
// The same of a file's first picture: one in strips of grey, palette, RGB or CMYK, plain, LZW, deflate,
// PackBits or fax.
Result<ImageHeader> readTiffHeader(std::span<const uint8_t> file);

// Leaves nothing in a TIFF's first directory but what says where its pixels are and how they are packed, once
// each and in order, and no further directory: libav's decoder takes what it does not know for damage where
// damage counts, and has nothing to do with cameras' own fields.
void keepPixelFields(std::span<uint8_t> tiff);

// The orientation in a TIFF structure, which is what EXIF is; 1 without.
int tiffOrientation(std::span<const uint8_t> tiff);

Error damagedHeader(ImageType type);
Error cutShortPicture(ImageType type);
// "a TIFF with JPEG pictures in it is not supported": `what` follows the format's name.
Error unsupportedKind(ImageType type, const std::string& what);

}  // namespace framewright
