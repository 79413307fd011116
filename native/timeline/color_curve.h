#pragma once

#include <optional>

#include "core/geometry.h"
#include "timeline/curve.h"

namespace framewright {

// A colour over time. Between keyframes it changes evenly for the eye, in OKLab with premultiplied alpha, as
// CSS gradients in that space.
class ColorCurve {
 public:
  // Curves of premultiplied OKLab.
  struct Channels {
    Curve lightness, a, b, alpha;
  };

  ColorCurve() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a colour is a constant curve.
  ColorCurve(const Color& constant) : constant_(constant) {}
  explicit ColorCurve(Channels channels) : channels_(std::move(channels)) {}

  Color at(double frame) const;

 private:
  Color constant_;
  std::optional<Channels> channels_;
};

}  // namespace framewright
