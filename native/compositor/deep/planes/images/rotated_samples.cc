#include "compositor/deep/planes/images/rotated_samples.h"

#include <algorithm>

#include "compositor/plan/image_sampling.h"

namespace framewright {

RotatedCoverage::RotatedCoverage(const Affine& shape, const Rect& window, const CanvasSize& canvas,
                                 PlaneGroup group)
    : quad_(shape, group) {
  coverage_.cover(window, canvas, group);
  if (!coverage_.empty()) rows_ = quad_.rows(coverage_.rows);
}

void RotatedCoverage::weigh(std::vector<uint16_t>& weights, const QuadCoverage::Span& span, int y,
                            double opacity) const {
  const double row = opacity * coverage_.rows.at(y) / kernels::kFullWeight;
  weights.assign(static_cast<size_t>(span.end - span.first), toWeight(row));
  const AxisCoverage& columns = coverage_.columns;
  const auto edges = [&](int first, int end) {
    for (int x = first; x < end; ++x) {
      const bool isInside = x >= span.fullFirst && x < span.fullEnd;
      const double covered = isInside ? 1 : quad_.covered(x, y);
      weights[static_cast<size_t>(x - span.first)] =
          toWeight(row * covered * columns.at(x) / kernels::kFullWeight);
    }
  };
  const int inner = std::clamp(std::max(span.fullFirst, columns.fullFirst), span.first, span.end);
  const int outer = std::clamp(std::min(span.fullEnd, columns.fullEnd), inner, span.end);
  edges(span.first, inner);
  edges(outer, span.end);
}

void sampleRotated(int16_t* out, const kernels::CodePlane& plane, const Affine& map, const SampleRange& span,
                   int y) {
  const int32_t stepX = toFixedPosition(map.xx), stepY = toFixedPosition(map.yx);
  // Positions are computed anew now and then, which bounds the error of their steps.
  for (int x = span.first; x < span.end; x += kSamplesPerWalk) {
    const int end = std::min(span.end, x + kSamplesPerWalk);
    const kernels::CodeWalk steps{toFixedPosition(map.xx * (x + 0.5) + map.xy * (y + 0.5) + map.dx - 0.5),
                                  toFixedPosition(map.yx * (x + 0.5) + map.yy * (y + 0.5) + map.dy - 0.5),
                                  stepX, stepY};
    kernels::sampleCodes(out + (x - span.first), plane, steps, static_cast<size_t>(end - x));
  }
}

}  // namespace framewright
