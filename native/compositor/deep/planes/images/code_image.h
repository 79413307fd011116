#pragma once

#include <array>
#include <mutex>

#include "compositor/plan/plane_mapping.h"
#include "core/image.h"
#include "kernels/deep/plane_filters.h"

namespace framewright {

// The part of a plane of 16-bit samples that may be read.
kernels::CodePlane codePlaneOf(const Plane& plane, const SampleBounds& bounds, int fractionBits);
// Writes a plane of half the size, rounded up, with kCodeFraction fraction bits.
void halvePlane(const Plane& to, const Plane& from, int fractionBits);

// Rows of an image that are drawn when they are read. Used by one thread.
class CodeRows {
 public:
  virtual ~CodeRows() = default;
  // Row y of plane 0, 1 or 2, valid until the next call. Rows may be left out, but are read in their order
  // from top to bottom, give or take the taps of a filter.
  virtual const int16_t* row(int plane, int y) = 0;
};

// One mip level of a CodeImage: a kI010 image, whose samples may have fraction bits, or rows that are drawn
// on demand.
struct CodeLevel {
  ImagePtr image;
  int fractionBits = 0;
  std::shared_ptr<CodeRows> rows = nullptr;

  // Samples of row y.
  const int16_t* row(int plane, int y) const {
    if (rows != nullptr) return rows->row(plane, y);
    const Plane& from = image->plane(plane);
    return reinterpret_cast<const int16_t*>(from.data + y * from.stride);
  }
  kernels::CodePlane samples(int plane, const SampleBounds& bounds) const {
    return codePlaneOf(image->plane(plane), bounds, fractionBits);
  }
};

// An opaque image as planes of codes of 10 bits, with mip levels that are made on first use. Immutable to its
// users; any thread.
class CodeImage {
 public:
  static constexpr int kMaxLevels = 14;

  // `first` is the level `firstLevel` of an image of this size.
  CodeImage(int width, int height, int firstLevel, CodeLevel first);
  // A kI420 image, which is widened where it is read.
  explicit CodeImage(ImagePtr eightBits);
  // Working samples that are drawn on demand, without other levels. Such an image cannot be rotated.
  CodeImage(int width, int height, std::shared_ptr<CodeRows> rows);

  int width() const { return width_; }
  int height() const { return height_; }
  // See PlanarImage::chromaOffset().
  double chromaOffset() const { return chromaOffset_; }
  // The size of a plane of a level.
  Plane sizeOf(const CodeLevel& level, int plane) const;
  // The image at 1 / 2^level of the size, or the nearest level that exists; `found` is set to it. Fails with
  // OUT_OF_MEMORY.
  Result<CodeLevel> level(int level, int& found) const;
  // The same for a layer that reads rows from top to bottom.
  Result<CodeLevel> levelForRows(int level, int& found) const;

 private:
  ImagePtr eightBits_;
  int width_, height_, firstLevel_;
  double chromaOffset_;
  mutable std::mutex making_;
  mutable std::array<CodeLevel, kMaxLevels> levels_;
  mutable int made_;  // one past the last level
};

}  // namespace framewright
