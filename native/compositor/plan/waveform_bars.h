#pragma once

#include <vector>

#include "core/geometry.h"
#include "timeline/draw_list.h"

namespace framewright {

// The bars of a waveform layer in box pixels: pixels of the axis-aligned box before it is placed on a
// surface. Bars are mirrored about the middle of the box and round at both ends.
struct WaveformBars {
  Affine toBox;  // surface pixels -> box pixels
  double width = 0, height = 0;
  double pitch = 0;  // distance between bars
  double halfBarWidth = 0;
  double opacity = 1;  // includes the colour's alpha
  std::vector<double> halfHeights;

  bool empty() const { return halfHeights.empty(); }
  // The bar at a horizontal position `u` in box pixels.
  int barAt(double u) const;
};

// Empty when nothing can be drawn. `toSurface` maps the unit square of the box to surface pixels.
void planWaveform(WaveformBars& bars, const Layer& layer, const Affine& toSurface, double opacity);

}  // namespace framewright
