#pragma once

#include <vector>

#include "core/canvas_color.h"
#include "core/geometry.h"
#include "kernels/deep/color_curves.h"
#include "kernels/deep/float_rows.h"

namespace framewright {

// Converts colours to those of a canvas. Immutable; any thread.
class CanvasCurves {
 public:
  explicit CanvasCurves(const CanvasColor& color);

  const CanvasColor& color() const { return color_; }
  // Whether SDR signals are those of the canvas.
  bool keepsSdr() const { return color_ == CanvasColor{}; }
  // Premultiplied SDR signals, in place. SDR white is shown as white of 203 cd/m² (BT.2408).
  void fromSdr(const kernels::FloatRow& row, size_t count) const;
  kernels::FloatColor fromSdr(const Color& color) const;
  // Between premultiplied values of the canvas and signals; the same unless the canvas is linear.
  void toSignals(const kernels::FloatRow& row, size_t count) const;
  void fromSignals(const kernels::FloatRow& row, size_t count) const;

 private:
  // A function of 0..1 as a table over a power of its argument.
  class Curve {
   public:
    Curve() = default;
    template <class Function>
    Curve(Function function, int root);
    kernels::CurveTable table() const { return {values_.data(), kSteps, root_}; }

   private:
    static constexpr int kSteps = 4096;
    int root_ = 1;  // 1, 2 or 4
    std::vector<float> values_;
  };
  static void applyCurve(const Curve& curve, const kernels::FloatRow& row, size_t count);
  // Premultiplied values.
  static void mapStraight(const Curve& curve, const kernels::FloatRow& row, size_t count);

  const CanvasColor color_;
  Curve toLight_, toSignal_;
  Curve sceneLuminance_;  // of HLG: scene luminance by that of the display as a share of its peak
};

}  // namespace framewright
