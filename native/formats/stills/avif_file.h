#pragma once

#include <optional>
#include <vector>

#include "formats/image_colors.h"
#include "formats/image_header.h"

namespace framewright {

// The decodable parts of an AVIF file: the primary image and its alpha image.
struct AvifFile {
  // Extent of AV1 data in the file.
  struct Part {
    size_t offset = 0, length = 0;
  };
  ImageHeader header{ImageType::kAvif};
  std::vector<Part> colour, alpha;       // extents in order; alpha is empty without an alpha image
  std::optional<CodePoints> codePoints;  // take precedence over the AV1 data
  std::span<const uint8_t> iccProfile;   // within the file; empty: none
};

// Checks the brands in the ftyp box.
bool isAvif(std::span<const uint8_t> start);
// Whether the file also contains an image sequence.
bool isAvifSequence(std::span<const uint8_t> start);
// Fails with MEDIA_UNREADABLE, DECODE_FAILED (truncated) or MEDIA_UNSUPPORTED (tiles, image sequences). The
// AV1 data is not validated.
Result<AvifFile> readAvif(std::span<const uint8_t> file);

}  // namespace framewright
