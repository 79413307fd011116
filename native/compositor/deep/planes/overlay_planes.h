#pragma once

#include <array>
#include <utility>
#include <vector>

#include "compositor/deep/float_image.h"
#include "compositor/deep/planes/layer_rows.h"

namespace framewright {

// Where a surface lies on the canvas. Chroma depends on it: sites are on even columns and between even and
// odd rows, and the edges of the canvas are repeated.
struct OverlaySite {
  bool isOddColumn = false, isOddRow = false;  // of the surface's corner
  bool repeatsLeft = false, repeatsRight = false, repeatsBottom = false;

  static constexpr size_t kCount = 32;
  size_t index() const;
};
OverlaySite overlaySiteOf(const PixelRect& surface, const CanvasSize& canvas);

// Premultiplied working samples of a plane group.
struct OverlaySamples {
  int width = 0, height = 0;
  std::array<std::vector<int16_t>, 2> colours;
  std::vector<int16_t> alpha;

  // `colourCount`: 1 for luma, 2 for chroma. The last row may be written beyond its end by kSampleBlock.
  void resize(int newWidth, int newHeight, size_t colourCount);
  size_t at(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
  }
  OverlayRow row(int y) const {
    const size_t first = at(0, y);
    const int16_t* const second = colours[1].empty() ? nullptr : colours[1].data() + first;
    return {{colours[0].data() + first, second}, alpha.data() + first};
  }
};

// Converts two rows of a surface with alpha, a pair of the canvas. Used by one thread.
class OverlayPair {
 public:
  OverlayPair(int surfaceWidth, const OverlaySite& site, const kernels::YcbcrScale& scale);

  // The samples of chroma under the surface, of which the first is that of the corner's pixel pair. A column
  // beside the last pair is coloured by its neighbour.
  int chromaWidth() const { return chromaWidth_; }
  // Row 0 or 1 from the surface's first column.
  kernels::FloatRow row(int i);
  void clear();
  // Writes a row of luma.
  void writeLuma(int i, OverlaySamples& to, int y);
  // Writes the row of chroma of both, once they are complete.
  void writeChroma(OverlaySamples& to, int y);

 private:
  kernels::FloatRow rowFrom(int i, size_t first);

  const int width_, chromaWidth_;
  const OverlaySite site_;
  const kernels::YcbcrScale scale_;
  std::array<std::vector<float>, 8> rows_;  // by row and channel
};

// Samples of a plane group, by index.
using OverlayGroups = std::array<OverlaySamples, 2>;

// A whole surface as samples. Immutable; any thread.
class OverlayPlanes {
 public:
  OverlayPlanes(const FloatImage& surface, const OverlaySite& site, const kernels::YcbcrScale& scale);
  explicit OverlayPlanes(OverlayGroups groups) : groups_(std::move(groups)) {}

  const OverlaySamples& of(PlaneGroup group) const { return groups_[static_cast<size_t>(group)]; }
  // Moves the samples out, so that their memory is used again.
  OverlayGroups take() { return std::move(groups_); }

 private:
  OverlayGroups groups_;
};

}  // namespace framewright
