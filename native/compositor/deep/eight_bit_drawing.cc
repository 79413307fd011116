#include "compositor/deep/eight_bit_drawing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compositor/deep/write_frame.h"
#include "compositor/plan/layer_placement.h"
#include "compositor/rgba_compositor.h"
#include "core/planes.h"

namespace framewright {

EightBitDrawing::EightBitDrawing(const CanvasCurves& curves)
    : curves_(curves), transparent_(RgbaCompositor::create(CompositorChoice::kCpu).take()) {}
EightBitDrawing::~EightBitDrawing() = default;

Result<ImagePtr> EightBitDrawing::toRgba(const FloatImage& image) const {
  FW_ASSIGN_OR_RETURN(auto rgba, Image::create(PixelFormat::kRgbaStraight, image.width(), image.height()));
  writeStraight(image, curves_, *rgba);
  return ImagePtr(std::move(rgba));
}

// SDR frames of 8 bits are what the other compositors read.
Result<PreparedImagePtr> EightBitDrawing::convert(const DeepImage& image) const {
  const ImagePtr& source = image.source();
  const bool isPlain = source != nullptr && source->format() != PixelFormat::kI010 && curves_.keepsSdr();
  if (isPlain) return transparent_->prepareVideoFrame(source, 0, 0);
  FW_ASSIGN_OR_RETURN(const FloatImage* const floats, image.first());
  FW_ASSIGN_OR_RETURN(const ImagePtr rgba, toRgba(*floats));
  return transparent_->prepareStill(*rgba, 0, 0);
}

Result<PreparedImagePtr> EightBitDrawing::imageAt(int index, std::span<const PreparedImagePtr> images) const {
  if (index < 0 || static_cast<size_t>(index) >= images.size()) return missingImage(index);
  const auto& image = static_cast<const DeepImage&>(*images[static_cast<size_t>(index)]);
  return image.convertedBy([&](const DeepImage& own) { return convert(own); });
}

Color EightBitDrawing::inCanvasColors(const Color& color) const {
  const CanvasColor& canvas = curves_.color();
  if (!canvas.isHdr()) return color;
  const kernels::FloatColor converted = curves_.fromSdr(Color{color.r, color.g, color.b, 255});
  const auto code = [](float value) {
    return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255));
  };
  return {code(converted.r), code(converted.g), code(converted.b), color.a};
}

void EightBitDrawing::readFrame(FloatImage& to, const Image& frame) const {
  const auto width = static_cast<size_t>(to.width());
  for (int y = 0; y < to.height(); ++y) {
    kernels::floatsOfRgba(to.at(0, y), rowOf(frame.plane(0), y), true, width);
    curves_.fromSignals(to.at(0, y), width);
  }
}

Status EightBitDrawing::drawContent(FloatImage& to, const Layer& layer) {
  DrawList list;
  list.isDithered = true;
  Layer& drawn = list.layers.emplace_back(layer);
  drawn.fill = inCanvasColors(layer.fill);
  drawn.opacity = 1;
  drawn.effects.reset();
  FW_ASSIGN_OR_RETURN(auto frame, Image::create(PixelFormat::kRgbaStraight, to.width(), to.height()));
  FW_RETURN_IF_ERROR(transparent_->compose(list, {}, *frame));
  readFrame(to, *frame);
  return {};
}

}  // namespace framewright
