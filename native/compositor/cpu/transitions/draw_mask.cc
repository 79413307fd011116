#include "compositor/cpu/transitions/draw_transition.h"
#include "compositor/cpu/transitions/overlay_rows.h"
#include "compositor/plan/color.h"
#include "kernels/blend/blend.h"

namespace framewright {
namespace {

using kernels::kFullWeight;

void overColumns(const TransitionFrame& c, const uint16_t* weights) {
  const OverlayRows rows({c.to, {}}, c);
  std::vector<uint16_t>& chroma = c.buffers.weights[2];
  halveWeights(chroma.data(), weights, weights, c.frame.plane(1).width);
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < c.frame.plane(p).height; ++y)
      overRowOf(c, rows, p, y, p == 0 ? weights : chroma.data());
  }
}

void overRows(const TransitionFrame& c, const uint16_t* weights) {
  for (int p = 0; p < 3; ++p) {
    const Plane &frame = c.frame.plane(p), &to = c.to->plane(p);
    for (int y = 0; y < frame.height; ++y) {
      const int weight = p == 0 ? weights[y] : (weights[2 * y] + weights[2 * y + 1] + 1) / 2;
      kernels::overRow(rowOf(frame, y), rowOf(to, y), nullptr, static_cast<size_t>(frame.width),
                       static_cast<uint16_t>(weight), c.rounding(y));
    }
  }
}

// Masks whose weight varies along one axis.
void overAxis(const TransitionFrame& c, const TransitionMask& mask) {
  fitWeights(c);
  const bool across = mask.shape == MaskShape::kColumns;
  std::vector<uint16_t>& weights = c.buffers.weights[0];
  fillAxisWeights(weights, across ? c.frame.width() : c.frame.height(), mask.weightAt);
  if (weights.size() % 2 == 1) weights.push_back(weights.back());
  if (across) {
    overColumns(c, weights.data());
  } else {
    overRows(c, weights.data());
  }
}

// Composites `overlay` over everything outside `rect`.
void overOutside(const TransitionFrame& c, const Overlay& overlay, const Rect& rect) {
  fitWeights(c);
  const OverlayRows source(overlay, c);
  for (int p = 0; p < 3; ++p) {
    RectCoverage& inside = c.buffers.coverage;
    inside.cover(rect, c.canvas(), groupOfPlane(p));
    const AxisCoverage &columns = inside.columns, &rows = inside.rows;
    const Plane& frame = c.frame.plane(p);
    uint16_t* const weights = c.buffers.weights[0].data();
    for (int y = 0; y < frame.height; ++y) {
      std::fill(weights, weights + frame.width, kFullWeight);
      if (!inside.empty() && y >= rows.first && y < rows.end) {
        for (int x = columns.first; x < columns.end; ++x) {
          weights[x] = static_cast<uint16_t>(kFullWeight - weightProduct(columns.at(x), rows.at(y)));
        }
      }
      overRowOf(c, source, p, y, weights);
    }
  }
}

void overPattern(const TransitionFrame& c, const Overlay& overlay, const TransitionMask& mask) {
  fitPattern(c, mask.pattern);
  std::vector<uint16_t>& weightOf = c.buffers.response;
  fillAxisWeights(weightOf, kPatternSteps, mask.weightAt);
  const int width = c.frame.width();
  overMasked(c, overlay, [&](int y, uint16_t* weights) {
    const uint16_t* const steps =
        c.buffers.pattern.data() + static_cast<size_t>(y) * static_cast<size_t>(width);
    for (int x = 0; x < width; ++x) weights[x] = weightOf[steps[x]];
  });
}

}  // namespace

void fitPattern(const TransitionFrame& c, const TransitionPattern& pattern) {
  TransitionBuffers& b = c.buffers;
  const CanvasSize canvas = c.canvas();
  if (b.patternOf == pattern && b.patternWidth == canvas.width && b.patternHeight == canvas.height) return;
  pattern.fill(b.pattern, canvas);
  b.patternOf = pattern;
  b.patternWidth = canvas.width;
  b.patternHeight = canvas.height;
}

void drawMask(const TransitionFrame& c, const TransitionMask& mask) {
  const Overlay overlay = mask.isBlack ? Overlay{nullptr, yuvOf(kBlack)} : Overlay{c.to, {}};
  switch (mask.shape) {
    case MaskShape::kColumns:
    case MaskShape::kRows:
      return overAxis(c, mask);
    case MaskShape::kOutside:
      return overOutside(c, overlay, mask.uncovered);
    case MaskShape::kPattern:
      return overPattern(c, overlay, mask);
  }
}

}  // namespace framewright
