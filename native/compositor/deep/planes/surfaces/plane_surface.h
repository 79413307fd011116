#pragma once

#include "compositor/deep/canvas_curves.h"
#include "compositor/deep/planes/overlay_planes.h"

namespace framewright {

// A layer drawn on planes of its own: premultiplied working samples and alpha.
struct PlaneSurface {
  PixelRect area;        // canvas pixels, which start and end on even ones
  OverlayGroups groups;  // by PlaneGroup; chroma has half the columns and rows

  // Makes it of this size, with any contents; the memory is reused.
  void fit(const PixelRect& newArea);
  CanvasSize size() const { return {area.width(), area.height()}; }
  OverlaySamples& of(PlaneGroup group) { return groups[static_cast<size_t>(group)]; }
  const OverlaySamples& of(PlaneGroup group) const { return groups[static_cast<size_t>(group)]; }
};

inline int16_t* alphaRow(OverlaySamples& samples, int y) { return samples.alpha.data() + samples.at(0, y); }
inline const int16_t* alphaRow(const OverlaySamples& samples, int y) {
  return samples.alpha.data() + samples.at(0, y);
}
inline int16_t* colourRow(OverlaySamples& samples, size_t colour, int y) {
  return samples.colours[colour].data() + samples.at(0, y);
}
inline const int16_t* colourRow(const OverlaySamples& samples, size_t colour, int y) {
  return samples.colours[colour].data() + samples.at(0, y);
}

// The samples of a row of alpha that are opaque, without gaps.
SampleRange opaqueRun(const int16_t* alpha, int width);

// Converts an image with alpha, which has the colours of the canvas and the size of `to.area`. Fails with
// OUT_OF_MEMORY.
Status readFloats(PlaneSurface& to, const FloatImage& image, const CanvasCurves& curves);
// The opposite. `to` has alpha and the size of the surface.
void writeFloats(FloatImage& to, const PlaneSurface& surface, const CanvasCurves& curves);

}  // namespace framewright
