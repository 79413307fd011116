#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/image_header.h"

namespace framewright {

// Code points of ITU-T H.273.
struct CodePoints {
  int primaries = 2, transfer = 2, matrix = 2;  // 2: unspecified
  bool fullRange = false;
};

// Those that a file names, any numbers: what H.273 does not define is unspecified.
constexpr CodePoints definedCodePoints(CodePoints named) {
  constexpr int kLastPrimaries = 22, kLastTransfer = 18, kLastMatrix = 14, kUnspecified = 2;
  if (named.primaries > kLastPrimaries) named.primaries = kUnspecified;
  if (named.transfer > kLastTransfer) named.transfer = kUnspecified;
  if (named.matrix > kLastMatrix) named.matrix = kUnspecified;
  return named;
}

// What a still image's container says about its colours, besides the coded samples.
struct ImageColors {
  std::vector<uint8_t> iccProfile;       // WebP, TIFF and AVIF; libav reads those of PNG and JPEG
  std::optional<CodePoints> codePoints;  // PNG (cICP) and AVIF; they take precedence over the coded samples
};

// Never fails: damaged or missing colours are left out.
ImageColors readImageColors(ImageType type, std::span<const uint8_t> file);

// Makes a JPEG's Adobe segment unrecognisable, so that libav decodes its four components unchanged. Describes
// it as it was; nothing when there is none.
struct AdobeSegment {
  bool isYcck = false;  // Y, Cb, Cr and K, else C, M, Y and K
};
std::optional<AdobeSegment> hideAdobeSegment(std::span<uint8_t> jpeg);

}  // namespace framewright
