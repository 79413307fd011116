#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "compositor/plan/plane_mapping.h"

namespace framewright {

// A row of working samples (kernels/deep/plane_rows.h) of a plane group: luma, or Cb and Cr.
using SampleRow = std::array<int16_t*, 2>;

// What a layer adds to the planes of a frame. Rows are drawn from top to bottom, each pair of luma rows
// before the chroma row beside it. Used by one thread.
class PlaneLayer {
 public:
  virtual ~PlaneLayer() = default;

  // The rows that the layer may change.
  virtual SampleRange rows(PlaneGroup group) const = 0;
  // The samples of one of these rows that the layer changes.
  virtual SampleRange span(PlaneGroup group, int y) const = 0;
  // Whether the layer hides everything below it in its span.
  virtual bool hides(PlaneGroup group, int y) const {
    static_cast<void>(group), static_cast<void>(y);
    return false;
  }
  // Where the codes of the row are that the layer shows unchanged: pointers to those of column 0, valid in
  // the span. Nothing if they have to be drawn.
  virtual std::optional<std::array<const int16_t*, 2>> codes(PlaneGroup group, int y) const {
    static_cast<void>(group), static_cast<void>(y);
    return std::nullopt;
  }
  // The same for working samples.
  virtual std::optional<std::array<const int16_t*, 2>> samples(PlaneGroup group, int y) const {
    static_cast<void>(group), static_cast<void>(y);
    return std::nullopt;
  }
  // Writes the layer's Q15 share of the samples in the span, for content that is drawn on an empty surface.
  virtual void writeCoverage(PlaneGroup group, int y, uint16_t* weights) {
    static_cast<void>(group), static_cast<void>(y), static_cast<void>(weights);
  }
  // Blends the layer over the row, whose first sample is in column 0.
  virtual void draw(PlaneGroup group, int y, const SampleRow& to) = 0;
};

inline size_t coloursOf(PlaneGroup group) { return group == PlaneGroup::kLuma ? 1 : 2; }
// The plane of an image that has a colour of a group.
inline int planeOf(PlaneGroup group, size_t colour) {
  return group == PlaneGroup::kLuma ? 0 : 1 + static_cast<int>(colour);
}

}  // namespace framewright
