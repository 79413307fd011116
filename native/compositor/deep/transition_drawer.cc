#include "compositor/deep/transition_drawer.h"

#include <algorithm>
#include <utility>

#include "compositor/deep/draw_shape.h"
#include "compositor/deep/planes/images/code_layer.h"
#include "compositor/deep/planes/plane_backdrop.h"
#include "compositor/deep/write_frame.h"
#include "compositor/planar_image.h"

namespace framewright {
namespace {

void copyImage(FloatImage& to, const FloatImage& from) {
  for (int channel = 0; channel < to.channels(); ++channel) {
    for (int y = 0; y < to.height(); ++y) std::copy_n(from.row(channel, y), to.width(), to.row(channel, y));
  }
}

void fadeTo(FloatImage& frame, const FloatImage& to, double share) {
  for (int channel = 0; channel < frame.channels(); ++channel) {
    for (int y = 0; y < frame.height(); ++y) {
      kernels::lerpFloats(frame.row(channel, y), to.row(channel, y), static_cast<float>(share),
                          static_cast<size_t>(frame.width()));
    }
  }
}

void fadeToLevel(FloatImage& frame, float level, double share) {
  const kernels::FloatColor color{level, level, level, 1};
  for (int y = 0; y < frame.height(); ++y)
    kernels::fillFloats(frame.at(0, y), color, nullptr, static_cast<float>(share),
                        static_cast<size_t>(frame.width()));
}

}  // namespace

Status DeepTransitionDrawer::draw(FloatImage& frame, const Layer& layer, const TransitionStyle& style,
                                  std::span<const PreparedImagePtr> images, FloatImage& from,
                                  FloatImage& to) {
  const double progress = layer.progress;
  if (style.kind == TransitionKind::kFade) {
    copyImage(frame, from);
    fadeTo(frame, to, progress);
    return {};
  }
  if (style.kind == TransitionKind::kFadeThroughBlack || style.kind == TransitionKind::kFadeThroughWhite) {
    const FadeThroughColor fade = fadeThroughColor(progress);
    copyImage(frame, from);
    fadeTo(frame, to, fade.towardsNext);
    fadeToLevel(frame, style.kind == TransitionKind::kFadeThroughWhite ? 1.0f : 0.0f, fade.towardsColor);
    return {};
  }
  if (style.kind == TransitionKind::kMask) {
    const bool showsTo = style.inputs == TransitionInputs::kHalfInFrame && progress >= 0.5;
    copyImage(frame, showsTo ? to : from);
    drawMask(frame, style.mask(progress, frame.size(), style.heading), to);
    return {};
  }
  if (style.kind == TransitionKind::kLuma) {
    FW_ASSIGN_OR_RETURN(const PreparedImagePtr image, eightBits_.imageAt(layer.image, images));
    copyImage(frame, from);
    drawMask(frame, lumaMask(progress, layer.wipe, std::static_pointer_cast<const PlanarImage>(image)), to);
    return {};
  }
  if (isMadeOfLayers(style.kind))
    return drawLayers(frame, transitionLayers(style, progress, frame.size()), from, to);
  return drawPlanes(frame, layer, style, images, from, to);
}

Status DeepTransitionDrawer::drawPlanes(FloatImage& frame, const Layer& layer, const TransitionStyle& style,
                                        std::span<const PreparedImagePtr> images, FloatImage& from,
                                        FloatImage& to) {
  const CanvasSize canvas = frame.size();
  std::vector<PlaneList> sides;
  for (FloatImage* const side : {&from, &to}) {
    FW_ASSIGN_OR_RETURN(auto codes, Image::create(PixelFormat::kI010, canvas.width, canvas.height));
    writeDeepFrame(*side, curves_, false, *codes);
    auto image =
        std::make_shared<const CodeImage>(canvas.width, canvas.height, 0, CodeLevel{std::move(codes), 0});
    FW_ASSIGN_OR_RETURN(
        auto whole,
        codeLayer(std::move(image),
                  {canvas.rect(), scaling(canvas.width, canvas.height), canvas.rect(), 1, false}, canvas));
    sides.emplace_back(canvas).add(std::move(whole));
  }
  planes_.beginFrame();
  PlaneList list(canvas);
  FW_RETURN_IF_ERROR(planes_.add(list, layer, style, images, std::move(sides[0]), std::move(sides[1])));
  FW_ASSIGN_OR_RETURN(auto samples, Image::create(PixelFormat::kI010, canvas.width, canvas.height));
  PlaneBackdrop drawn(list, canvas.pixels(), curves_, std::move(samples));
  for (int y = 0; y < frame.height(); ++y) {
    const kernels::ConstFloatRow row = drawn.row(y);
    const float* const channels[3] = {row.r, row.g, row.b};
    for (int channel = 0; channel < 3; ++channel)
      std::copy_n(channels[channel], frame.width(), frame.row(channel, y));
    if (frame.hasAlpha()) std::fill_n(frame.row(3, y), frame.width(), 1.0f);
  }
  return {};
}

void DeepTransitionDrawer::drawMask(FloatImage& frame, const TransitionMask& mask, const FloatImage& to) {
  weights_.begin(mask, frame.size());
  std::vector<uint16_t> row(static_cast<size_t>(frame.width()));
  std::vector<float> shares;
  for (int y = 0; y < frame.height(); ++y) {
    weights_.write(y, row.data());
    writeWeights(shares, row);
    if (mask.isBlack) {
      kernels::fillFloats(frame.at(0, y), {0, 0, 0, 1}, shares.data(), 1, shares.size());
      continue;
    }
    for (int channel = 0; channel < frame.channels(); ++channel)
      kernels::mixFloats(frame.row(channel, y), to.row(channel, y), shares.data(), shares.size());
  }
}

Status DeepTransitionDrawer::drawLayers(FloatImage& frame, const std::vector<TransitionLayer>& layers,
                                        FloatImage& from, FloatImage& to) {
  frame.clear();
  const int width = frame.width(), height = frame.height();
  const DeepImage sides[2] = {{width, height, 0, from}, {width, height, 0, to}};
  for (const TransitionLayer& layer : layers) {
    if (layer.opacity <= 0) continue;
    if (layer.side == TransitionSide::kBlack) {
      fadeToLevel(frame, 0, layer.opacity);
      continue;
    }
    FW_RETURN_IF_ERROR(
        images_.draw(frame, sides[layer.side == TransitionSide::kTo ? 1 : 0],
                     {frame.size().rect(), layer.toCanvas, layer.window, layer.opacity, layer.extendsEdges}));
  }
  return {};
}

}  // namespace framewright
