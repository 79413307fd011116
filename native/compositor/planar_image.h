#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "compositor/compositor.h"
#include "core/image.h"

namespace framewright {

// The planes of one mip level. Samples are premultiplied, including the YCbCr offsets; opaque images have no
// alpha planes.
struct ImagePlanes {
  Plane y, u, v;
  Plane alpha, chromaAlpha;
};

// A heap-allocated plane. Rows are 64-byte aligned and readable for one vector beyond the last sample.
struct OwnedPlane {
  Plane plane;
  std::shared_ptr<const void> owner;

  static Result<OwnedPlane> create(int width, int height);
};

// A prepared image in the working format: planar BT.709 limited-range 4:2:0, premultiplied, with mip levels
// created on first use. Immutable to its users; any thread.
class PlanarImage : public PreparedImage {
 public:
  static constexpr int kMaxLevels = 14;

  // `chromaOffset`: distance of chroma samples to the left of the middle of their column pair, in chroma
  // samples.
  PlanarImage(int width, int height, double chromaOffset, const ImagePlanes& planes,
              std::shared_ptr<const void> owner, ImagePtr source = nullptr);

  // The kI420 image of wrapImage(); null for others.
  const ImagePtr& source() const { return source_; }
  int width() const { return width_; }
  int height() const { return height_; }
  bool isOpaque() const { return planes_[0].alpha.data == nullptr; }
  double chromaOffset() const { return chromaOffset_; }

  // The planes at 1 / 2^level of the size, or the smallest available level; `found` is set to the returned
  // level.
  const ImagePlanes& level(int level, int& found) const;

 private:
  bool halve(int from) const;

  ImagePtr source_;
  int width_, height_;
  double chromaOffset_;
  mutable std::mutex making_;
  mutable std::atomic<int> levels_{1};
  mutable std::array<ImagePlanes, kMaxLevels> planes_;
  mutable std::array<std::array<std::shared_ptr<const void>, 5>, kMaxLevels> owners_;
};

// See PlanarImage().
constexpr double chromaOffsetOf(ChromaSiting siting) { return siting == ChromaSiting::kLeft ? 0.25 : 0; }

// Wraps a kI420 image as an opaque image that keeps it alive.
std::shared_ptr<const PlanarImage> wrapImage(ImagePtr image);

}  // namespace framewright
