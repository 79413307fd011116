#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "compositor/deep/draw_shape.h"
#include "compositor/deep/layer_drawer.h"
#include "compositor/deep/planes/plane_layer.h"

namespace framewright {

// How much of each sample round corners, cuts and a mask leave of a layer. Used by one thread.
class RowShape {
 public:
  // `effects` and `window`: in pixels of the canvas. Fails like DeepLayerDrawer.
  Status begin(const LayerEffects& effects, const Rect& window, std::span<const PreparedImagePtr> images,
               const CanvasSize& canvas, const CanvasCurves& curves);

  // Whether anything may be hidden.
  bool hides() const { return mask_ != nullptr || hasFloatMask_ || !boxes_.empty(); }
  // Q15 weights of a row from column 0 on, valid until the next call for another row; null: all are full.
  const uint16_t* weights(PlaneGroup group, int y);

 private:
  using Row = std::vector<uint16_t>;

  const uint16_t* lumaRow(int y);
  bool isStraight(int y) const;
  void writeRow(int y, Row& row);
  void multiplyBy(Row& row, const std::vector<float>& factors);
  const uint16_t* chromaOf(const uint16_t* top, const uint16_t* bottom, Row& row) const;

  CanvasSize canvas_;
  std::vector<BoxWeights> boxes_;
  std::unique_ptr<PlaneLayer> mask_;  // opaque, as planes
  bool hasFloatMask_ = false;
  DeepImageDrawer floatMask_;
  FloatImage maskLine_;
  std::vector<int16_t> maskLuma_;
  std::vector<float> floats_;
  std::array<Row, 2> luma_;
  std::array<int, 2> lumaY_{-1, -1};
  Row chroma_, full_, factors_;
  // Rows that no corner and no edge of the boxes crosses are the same.
  bool hasStraight_ = false, isStraightFull_ = false;
  Row straightLuma_, straightChroma_;
};

}  // namespace framewright
