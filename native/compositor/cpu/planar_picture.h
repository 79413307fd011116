#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "compositor/compositor.h"
#include "core/image.h"

namespace framewright {

// The planes of one size of a picture. Colours are premultiplied, offsets included; an opaque picture has no
// alpha planes.
struct PictureLevel {
  Plane y, u, v;
  Plane alpha, chromaAlpha;
};

// A plane on the heap, rows on 64-byte boundaries, readable for a vector beyond its last sample.
struct OwnedPlane {
  Plane plane;
  std::shared_ptr<const void> owner;

  static Result<OwnedPlane> create(int width, int height);
};

// A picture in the CPU's working format, with ever smaller versions of itself that are made when first asked
// for. Immutable to its users; any thread.
class PlanarPicture : public Picture {
 public:
  static constexpr int kMostLevels = 14;

  // `chromaOffset`: how far chroma samples lie left of the middle of their pair of columns, in chroma
  // samples.
  PlanarPicture(int width, int height, double chromaOffset, const PictureLevel& planes,
                std::shared_ptr<const void> owner);

  int width() const { return width_; }
  int height() const { return height_; }
  bool isOpaque() const { return planes_[0].alpha.data == nullptr; }
  double chromaOffset() const { return chromaOffset_; }

  // Version `level` is 2^level times smaller. The smallest possible one where `level` is too large or memory
  // is short; `found` says which it is.
  const PictureLevel& level(int level, int& found) const;

 private:
  bool halve(int from) const;

  int width_, height_;
  double chromaOffset_;
  mutable std::mutex making_;
  mutable std::atomic<int> levels_{1};
  mutable std::array<PictureLevel, kMostLevels> planes_;
  mutable std::array<std::array<std::shared_ptr<const void>, 5>, kMostLevels> owners_;
};

// The planes of a kI420 image as an opaque picture that keeps it alive.
std::shared_ptr<const PlanarPicture> wrapImage(ImagePtr image);

}  // namespace framewright
