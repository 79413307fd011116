#pragma once

#include <array>
#include <cstdint>

#include "compositor/deep/planes/plane_layer.h"

namespace framewright {

// Premultiplied samples of a part of a row.
struct OverlayRow {
  std::array<const int16_t*, 2> colours{};
  const int16_t* alpha = nullptr;
};

// Rows of a layer with alpha. They are read from top to bottom, each pair of luma rows before the chroma row
// beside it. Used by one thread.
class LayerRows {
 public:
  virtual ~LayerRows() = default;

  // The rows that are not empty, and the columns of one of them.
  virtual SampleRange rows(PlaneGroup group) const = 0;
  virtual SampleRange span(PlaneGroup group, int y) const = 0;
  // The samples of the span of row y, valid until the next call. Nothing if all of them are transparent.
  virtual std::optional<OverlayRow> row(PlaneGroup group, int y) = 0;
};

}  // namespace framewright
