#pragma once

#include <vector>

#include "core/geometry.h"
#include "timeline/draw_list.h"

namespace framewright {

// The shape of a waveform layer in box pixels: pixels of the axis-aligned box before it is placed on a
// surface. Bars lie on both sides of a baseline, or around a circle, and are round at both ends.
struct WaveformBars {
  enum class Shape { kRow, kLine, kCircle };
  Shape shape = Shape::kRow;
  Affine toBox;  // surface pixels -> box pixels
  double width = 0, height = 0;
  double pitch = 0;     // distance between bars, or between the points of a line
  double baseline = 0;  // of a row, from the top
  double cut = 0;       // distance below the baseline at which the bars of a row end
  double radius = 0;    // at which the bars of a circle start
  double halfBarWidth = 0;
  double opacity = 1;               // includes the colour's alpha
  std::vector<double> halfHeights;  // of bars; distances of the points of a line from the top
  std::vector<double> directions;   // of the bars of a circle: x and y of each

  bool empty() const { return halfHeights.empty(); }
  // Signed distance of a point from the outline in pixels, negative inside; far from it any larger value.
  double outside(double u, double v) const;
  // How many segments of a line may be near a point, to each side.
  int lineReach() const;
  // The bar at a horizontal position `u` in box pixels.
  int barAt(double u) const;

 private:
  double outsideOfLine(double u, double v) const;
  double outsideOfCircle(double u, double v) const;
};

// Empty when nothing can be drawn. `toSurface` maps the unit square of the box to surface pixels.
void planWaveform(WaveformBars& bars, const Layer& layer, const Affine& toSurface, double opacity);

}  // namespace framewright
