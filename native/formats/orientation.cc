#include "formats/orientation.h"

#include <algorithm>
#include <cstdlib>

namespace framewright {
namespace {

constexpr int kTile = 32;  // keeps both sides of a transposition in L1

template <typename Pixel>
void orientPlane(const Plane& from, const Plane& to, Orientation orientation) {
  for (int tileY = 0; tileY < to.height; tileY += kTile) {
    for (int tileX = 0; tileX < to.width; tileX += kTile) {
      const int endY = std::min(tileY + kTile, to.height);
      const int endX = std::min(tileX + kTile, to.width);
      for (int y = tileY; y < endY; ++y) {
        auto* row = reinterpret_cast<Pixel*>(to.data + y * to.stride);
        for (int x = tileX; x < endX; ++x) {
          int sx = orientation.swapped ? y : x;
          int sy = orientation.swapped ? x : y;
          if (orientation.fromRight) sx = from.width - 1 - sx;
          if (orientation.fromBottom) sy = from.height - 1 - sy;
          row[x] = reinterpret_cast<const Pixel*>(from.data + sy * from.stride)[sx];
        }
      }
    }
  }
}

// Both functions shift samples by a quarter of a chroma sample (half a luma pixel) towards a neighbour.
template <typename Sample>
void shiftRowLeft(Sample* row, int count) {
  Sample before = row[0];
  for (int x = 0; x < count; ++x) {
    const Sample own = row[x];
    row[x] = static_cast<Sample>((3 * own + before + 2) / 4);
    before = own;
  }
}

template <typename Sample>
void shiftColumns(const Plane& plane, int step) {
  const int first = step < 0 ? 0 : plane.height - 1;
  // Starts at the far side, so that each row reads its neighbour before it is shifted.
  for (int i = plane.height - 1; i > 0; --i) {
    const int y = step < 0 ? first + i : first - i;
    auto* const row = reinterpret_cast<Sample*>(plane.data + y * plane.stride);
    const auto* const neighbour = reinterpret_cast<const Sample*>(plane.data + (y + step) * plane.stride);
    for (int x = 0; x < plane.width; ++x) row[x] = static_cast<Sample>((3 * row[x] + neighbour[x] + 2) / 4);
  }
}

// Left-sited chroma is on another edge of its 2x2 block after the rotation; moves it to the centre.
template <typename Sample>
void centreChroma(Image& image, Orientation orientation) {
  for (int p = 1; p < 3; ++p) {
    const Plane& plane = image.plane(p);
    if (orientation.swapped) {
      shiftColumns<Sample>(plane, orientation.fromRight ? -1 : 1);
    } else {
      for (int y = 0; y < plane.height; ++y)
        shiftRowLeft(reinterpret_cast<Sample*>(plane.data + y * plane.stride), plane.width);
    }
  }
}

}  // namespace

Orientation orientationFromExif(int value) {
  constexpr Orientation kByValue[] = {{},
                                      {},
                                      {false, true, false},
                                      {false, true, true},
                                      {false, false, true},
                                      {true, false, false},
                                      {true, false, true},
                                      {true, true, true},
                                      {true, true, false}};
  return value >= 1 && value <= 8 ? kByValue[value] : Orientation();
}

Orientation orientationFromDisplayMatrix(const int32_t matrix[9]) {
  // (x', y') = (a x + c y, b x + d y) in 16.16.
  const int64_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
  if (std::llabs(a) + std::llabs(d) >= std::llabs(b) + std::llabs(c)) return {false, a < 0, d < 0};
  return {true, b < 0, c < 0};
}

Result<ImagePtr> applyOrientation(ImagePtr image, Orientation orientation) {
  if (orientation.isIdentity()) return image;
  const int width = orientation.swapped ? image->height() : image->width();
  const int height = orientation.swapped ? image->width() : image->height();
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> oriented, Image::create(image->format(), width, height));
  oriented->siting = image->siting;
  oriented->isHdr = image->isHdr;
  if (image->format() == PixelFormat::kRgba16Straight) {
    orientPlane<uint64_t>(image->plane(0), oriented->plane(0), orientation);
    return ImagePtr(oriented);
  }
  const bool isDeep = image->format() == PixelFormat::kI010;
  if (image->format() != PixelFormat::kI420 && !isDeep) {
    orientPlane<uint32_t>(image->plane(0), oriented->plane(0), orientation);
    return ImagePtr(oriented);
  }
  for (int p = 0; p < 3; ++p) {
    if (isDeep) {
      orientPlane<uint16_t>(image->plane(p), oriented->plane(p), orientation);
    } else {
      orientPlane<uint8_t>(image->plane(p), oriented->plane(p), orientation);
    }
  }
  if (image->siting == ChromaSiting::kLeft && (orientation.swapped || orientation.fromRight)) {
    (isDeep ? centreChroma<uint16_t> : centreChroma<uint8_t>)(*oriented, orientation);
    oriented->siting = ChromaSiting::kCenter;
  }
  return ImagePtr(oriented);
}

}  // namespace framewright
