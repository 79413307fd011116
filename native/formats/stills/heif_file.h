#pragma once

#include <optional>
#include <vector>

#include "formats/image_colors.h"
#include "formats/image_header.h"

namespace framewright {

// The decodable parts of a HEIF file, which is a HEIC (HEVC) or AVIF (AV1) image: the primary image and its
// alpha image. ISO/IEC 23008-12.
struct HeifFile {
  // Extent of coded data in the file.
  struct Part {
    size_t offset = 0, length = 0;
  };
  // A separately coded image: its extents in order, and the decoder's configuration (hvcC), within the file.
  struct Tile {
    std::vector<Part> parts;
    std::span<const uint8_t> configuration;
  };
  // An image of tiles, from left to right and top to bottom, that may reach beyond its size; one tile unless
  // it is a grid. Absent images have no tiles.
  struct TiledImage {
    std::vector<Tile> tiles;
    int columns = 1, rows = 1;
    int codedWidth = 0, codedHeight = 0;
    // The part that is shown.
    int left = 0, top = 0, width = 0, height = 0;
  };
  ImageHeader header;
  TiledImage color, alpha;
  std::optional<CodePoints> codePoints;  // take precedence over the coded data
  std::span<const uint8_t> iccProfile;   // within the file; empty: none
};

// The type by the brands in the ftyp box; nothing for other files.
std::optional<ImageType> sniffHeifType(std::span<const uint8_t> start);
// Whether the file also contains an image sequence.
bool isHeifSequence(std::span<const uint8_t> start);
// Fails with MEDIA_UNREADABLE, DECODE_FAILED (truncated) or MEDIA_UNSUPPORTED (other codecs, derived images
// other than grids). The coded data is not validated.
Result<HeifFile> readHeif(ImageType type, std::span<const uint8_t> file);

}  // namespace framewright
