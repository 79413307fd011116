#include "compositor/cpu/transitions/draw_transition.h"

#include <cmath>
#include <cstring>

#include "compositor/plan/color.h"
#include "compositor/plan/transitions/transition_layers.h"
#include "kernels/blend/blend.h"

namespace framewright {
namespace {

const PlanarImage& sideOf(const TransitionFrame& c, TransitionSide side, const PlanarImage* previous) {
  if (side == TransitionSide::kPrevious) return *previous;
  return side == TransitionSide::kFrom ? *c.fromPlanes : *c.toPlanes;
}

void drawLayer(const TransitionFrame& c, Image& target, const TransitionLayer& layer,
               const PlanarImage* previous) {
  if (layer.opacity <= 0) return;
  if (layer.side == TransitionSide::kBlack) {
    const std::array<uint8_t, 3> black = yuvOf(kBlack);
    for (int p = 0; p < 3; ++p) {
      const Plane& plane = target.plane(p);
      for (int y = 0; y < plane.height; ++y) {
        kernels::fillRow(rowOf(plane, y), black[static_cast<size_t>(p)], static_cast<size_t>(plane.width),
                         toWeight(layer.opacity), c.rounding(y));
      }
    }
    return;
  }
  c.images.draw(surfaceOf(target, c.isDithered), sideOf(c, layer.side, previous),
                {c.canvas().rect(), layer.toCanvas, layer.window, layer.opacity, layer.extendsEdges});
}

Status drawPasses(const TransitionFrame& c, const std::vector<std::vector<TransitionLayer>>& passes) {
  const PlanarImage* previous = nullptr;
  for (size_t i = 0; i < passes.size(); ++i) {
    TransitionBuffers::Pass& pass = c.buffers.passes[i % 2];
    const bool isLast = i + 1 == passes.size();
    if (!isLast &&
        (!pass.image || pass.image->width() != c.frame.width() || pass.image->height() != c.frame.height())) {
      FW_ASSIGN_OR_RETURN(pass.image, Image::create(PixelFormat::kI420, c.frame.width(), c.frame.height()));
      pass.planes = wrapImage(pass.image);
    }
    for (const TransitionLayer& layer : passes[i])
      drawLayer(c, isLast ? c.frame : *pass.image, layer, previous);
    previous = pass.planes.get();
  }
  return {};
}

// Draws the layers above the frame's contents.
void drawLayers(const TransitionFrame& c, const TransitionStyle& style) {
  const auto layers = transitionLayers(style, c.progress, c.canvas());
  for (size_t i = style.inputs == TransitionInputs::kSeparate ? 0 : 1; i < layers.size(); ++i) {
    const TransitionLayer& layer = layers[i];
    if (layer.opacity < 1 && layer.side == TransitionSide::kTo) {
      if (layer.opacity > 0) fade(c, layer.opacity);
      continue;
    }
    drawLayer(c, c.frame, layer, nullptr);
  }
}

void squeezeRows(const TransitionFrame& c, int p, const RectCoverage& covered) {
  const Plane &frame = c.frame.plane(p), &from = c.from->plane(p);
  const SqueezedAxis axis(frame.height, 1 - c.progress);
  const auto count = static_cast<size_t>(frame.width);
  std::vector<uint8_t>& mean = c.buffers.rows[0];
  mean.resize(count);
  for (int y = covered.rows.first; y < covered.rows.end; ++y) {
    std::memcpy(mean.data(), rowOf(from, axis.source(y, 0)), count);
    for (int tap = 1; tap < axis.taps; ++tap) {
      kernels::lerpRow(mean.data(), mean.data(), rowOf(from, axis.source(y, tap)), count,
                       toWeight(1.0 / (tap + 1)));
    }
    kernels::overRow(rowOf(frame, y), mean.data(), nullptr, count, covered.rows.at(y), c.rounding(y));
  }
}

void squeezeColumns(const TransitionFrame& c, int p, const RectCoverage& covered) {
  const Plane &frame = c.frame.plane(p), &from = c.from->plane(p);
  const SqueezedAxis axis(frame.width, 1 - c.progress);
  const AxisCoverage& columns = covered.columns;
  const auto count = static_cast<size_t>(columns.count()), taps = static_cast<size_t>(axis.taps);
  std::vector<int32_t>& sources = c.buffers.columns;
  sources.resize(count * taps);
  for (size_t i = 0; i < count * taps; ++i) {
    sources[i] = axis.source(columns.first + static_cast<int>(i / taps), static_cast<int>(i % taps));
  }
  std::vector<uint8_t>& mean = c.buffers.rows[0];
  mean.resize(count);
  const int32_t share = (1 << 16) / axis.taps + 1;
  for (int y = 0; y < frame.height; ++y) {
    const uint8_t* const source = rowOf(from, y);
    const int32_t* next = sources.data();
    for (size_t x = 0; x < count; ++x) {
      int32_t sum = axis.taps / 2;
      for (size_t tap = 0; tap < taps; ++tap) sum += source[*next++];
      mean[x] = static_cast<uint8_t>((sum * share) >> 16);
    }
    kernels::overRowMasked(rowOf(frame, y) + columns.first, mean.data(), nullptr, columns.weights.data(),
                           count, c.rounding(y).after(columns.first));
  }
}

}  // namespace

void squeeze(const TransitionFrame& c, Axis axis) {
  const Rect band = squeezedBand(c.progress, c.canvas(), axis);
  for (int p = 0; p < 3; ++p) {
    RectCoverage& covered = c.buffers.coverage;
    covered.cover(band, c.canvas(), groupOfPlane(p));
    if (covered.empty()) continue;
    if (axis == Axis::kX) {
      squeezeColumns(c, p, covered);
    } else {
      squeezeRows(c, p, covered);
    }
  }
}

namespace {

void drawKind(const TransitionFrame& c, const TransitionStyle& style) {
  switch (style.kind) {
    case TransitionKind::kFade:
      return fade(c, c.progress);
    case TransitionKind::kFadeThroughBlack:
      return fadeThroughColor(c, kBlack);
    case TransitionKind::kFadeThroughWhite:
      return fadeThroughColor(c, kWhite);
    case TransitionKind::kFadeThroughGray:
      return fadeThroughGray(c);
    case TransitionKind::kFadeFast:
      return fadeByDifference(c, FadeOrder::kFast);
    case TransitionKind::kFadeSlow:
      return fadeByDifference(c, FadeOrder::kSlow);
    case TransitionKind::kDistance:
      return fadeByDistance(c);
    case TransitionKind::kWipe:
    case TransitionKind::kSlide:
    case TransitionKind::kCover:
    case TransitionKind::kReveal:
    case TransitionKind::kZoomIn:
    case TransitionKind::kPush:
      return drawLayers(c, style);
    case TransitionKind::kWhipPan:
      return panWithBlur(c, style.heading);
    case TransitionKind::kPageCurl:
      return drawCurl(c, style.heading);
    case TransitionKind::kGlitch:
      return drawGlitch(c);
    case TransitionKind::kLight:
      return drawLight(c, style.light(c.progress, style.heading));
    case TransitionKind::kZoomBlur:
      return;  // drawn in passes
    case TransitionKind::kSqueeze:
      return squeeze(c, style.heading.axis());
    case TransitionKind::kMask:
      return drawMask(c, style.mask(c.progress, c.canvas(), style.heading));
    case TransitionKind::kLuma:
      return drawMask(c, lumaMask(c.progress, c.wipe, c.luma));
    case TransitionKind::kPixelize:
      return pixelize(c);
    case TransitionKind::kHorizontalBlur:
      return blurHorizontally(c);
  }
}

}  // namespace

Status drawTransition(const TransitionFrame& c, const TransitionStyle& style) {
  if (style.kind == TransitionKind::kZoomBlur) return drawPasses(c, zoomBlurPasses(c.progress, c.canvas()));
  drawKind(c, style);
  return {};
}

}  // namespace framewright
