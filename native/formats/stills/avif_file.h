#pragma once

#include <optional>
#include <vector>

#include "formats/image_header.h"

namespace framewright {

// What of an AVIF file is decoded: its primary picture, and the one that is its alpha.
struct AvifFile {
  // Where each picture's AV1 data lie in the file, one behind the other.
  struct Part {
    size_t offset = 0, length = 0;
  };
  ImageHeader header{ImageType::kAvif};
  std::vector<Part> colour, alpha;  // alpha: empty without
  struct Matrix {
    int coefficients = 2;
    bool fullRange = false;
  };
  std::optional<Matrix> matrix;  // counts before what the AV1 data say
};

// By its brands.
bool isAvif(std::span<const uint8_t> start);
// Fails with MEDIA_UNREADABLE, DECODE_FAILED (cut short) or MEDIA_UNSUPPORTED (tiles, a film alone). Nothing
// is promised of the AV1 data.
Result<AvifFile> readAvif(std::span<const uint8_t> file);

}  // namespace framewright
