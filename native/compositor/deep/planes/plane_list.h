#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compositor/deep/planes/plane_layer.h"
#include "compositor/plan/pixel_rect.h"
#include "core/aligned_vector.h"
#include "core/image.h"

namespace framewright {

// Layers over black, bottom first, composed row by row, so that the working samples stay in the CPU's cache.
// Used by one thread.
class PlaneList {
 public:
  explicit PlaneList(const CanvasSize& canvas);

  const CanvasSize& canvas() const { return canvas_; }
  // Adds a layer on top; null adds nothing.
  void add(std::unique_ptr<PlaneLayer> layer);

  // Draws all samples of a row.
  void draw(PlaneGroup group, int y, const SampleRow& to);
  // Composes regions of a kI010 frame of the canvas's size, at least. Codes that a single layer shows
  // unchanged are copied. A sample depends only on the layers that change it, not on the regions.
  void write(Image& frame, bool isDithered, std::span<const PixelRect> parts);
  void write(Image& frame, bool isDithered) {
    const PixelRect whole = canvas_.pixels();
    write(frame, isDithered, {&whole, 1});
  }
  // The rows from `top`, which is even, to `bottom` with kCodeFraction fraction bits, for a list that is
  // drawn as an image.
  void writeSamples(Image& frame, int top, int bottom);

 private:
  struct Entry {
    std::unique_ptr<PlaneLayer> layer;
    std::array<SampleRange, 2> rows;  // by PlaneGroup
  };
  // A layer in one row.
  struct Active {
    PlaneLayer* layer;
    SampleRange span;
  };

  int width(PlaneGroup group) const;
  // Finds the layers that change a row and are not hidden there. Returns whether the lowest one hides the
  // background.
  bool findActive(PlaneGroup group, int y);
  void drawActive(PlaneGroup group, int y, size_t first, const SampleRange& columns, const SampleRow& to);
  void drawOver(PlaneGroup group, int y, bool hidesAll, const SampleRange& columns, const SampleRow& to);
  void writeRow(Image& frame, PlaneGroup group, int y, bool isDithered, const SampleRange& columns);
  // The columns that layers above the lowest one change, in order and without overlaps.
  void findDrawn(const SampleRange& columns);

  CanvasSize canvas_;
  std::vector<Entry> layers_;
  std::vector<Active> active_;
  std::vector<SampleRange> drawn_;
  std::array<AlignedVector<int16_t>, 2> rows_;
};

}  // namespace framewright
