#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compositor/deep/deep_image.h"
#include "timeline/draw_list.h"

namespace framewright {

// Draws waveforms with the compositor of 8 bits, on signals of the canvas. Used by one thread.
class EightBitDrawing {
 public:
  explicit EightBitDrawing(const CanvasCurves& curves);
  ~EightBitDrawing();

  // Whether the content of a layer has to be drawn here.
  static bool needs(const Layer& layer) { return layer.kind == Layer::Kind::kWaveform; }
  // An image as the compositor of 8 bits has it. Fails with OUT_OF_MEMORY, or for an index that the list
  // lacks.
  Result<PreparedImagePtr> imageAt(int index, std::span<const PreparedImagePtr> images) const;
  // Draws the content of a layer, whose coordinates are those of `to`, which has alpha.
  Status drawContent(FloatImage& to, const Layer& layer);

 private:
  Result<ImagePtr> toRgba(const FloatImage& image) const;
  Result<PreparedImagePtr> convert(const DeepImage& image) const;
  Color inCanvasColors(const Color& color) const;
  void readFrame(FloatImage& to, const Image& frame) const;

  const CanvasCurves& curves_;
  std::unique_ptr<Compositor> transparent_;
};

}  // namespace framewright
