#include "compositor/deep/eight_bit_drawing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compositor/deep/write_frame.h"
#include "compositor/plan/layer_placement.h"
#include "compositor/rgba_compositor.h"
#include "core/planes.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {

EightBitDrawing::EightBitDrawing(const CanvasCurves& curves)
    : curves_(curves),
      opaque_(createCpuCompositor()),
      transparent_(RgbaCompositor::create(CompositorChoice::kCpu).take()) {}
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

namespace {

// Working samples as levels of 8 bits.
Result<ImagePtr> narrowed(const Image& samples) {
  constexpr int kShift = kernels::kCodeFraction + 2;
  FW_ASSIGN_OR_RETURN(auto image, Image::create(PixelFormat::kI420, samples.width(), samples.height()));
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = image->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      const auto* const from = reinterpret_cast<const int16_t*>(rowOf(samples.plane(p), y));
      uint8_t* const to = rowOf(plane, y);
      for (int x = 0; x < plane.width; ++x)
        to[x] = static_cast<uint8_t>(std::clamp((from[x] + (1 << (kShift - 1))) >> kShift, 0, 255));
    }
  }
  return ImagePtr(std::move(image));
}

}  // namespace

Status EightBitDrawing::drawTransition(Image& to, const Layer& transition, const Image& from,
                                       const Image& next) {
  std::vector<PreparedImagePtr> sides;
  DrawList list;
  list.isDithered = true;
  Layer& layer = list.layers.emplace_back(transition);
  for (const Image* const side : {&from, &next}) {
    FW_ASSIGN_OR_RETURN(ImagePtr levels, narrowed(*side));
    FW_ASSIGN_OR_RETURN(PreparedImagePtr prepared, opaque_->prepareVideoFrame(std::move(levels), 0, 0));
    auto content = std::make_shared<DrawList>();
    Layer& whole = content->layers.emplace_back();
    whole.kind = Layer::Kind::kImage;
    whole.image = static_cast<int>(sides.size());
    whole.toCanvas = scaling(to.width(), to.height());
    (sides.empty() ? layer.from : layer.to) = std::move(content);
    sides.push_back(std::move(prepared));
  }
  list.images.resize(sides.size());
  FW_ASSIGN_OR_RETURN(auto frame, opaque_->createFrame(PixelFormat::kI420, to.width(), to.height()));
  FW_RETURN_IF_ERROR(opaque_->compose(list, sides, *frame));
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = frame->plane(p);
    for (int y = 0; y < plane.height; ++y)
      kernels::widenCodes(reinterpret_cast<int16_t*>(rowOf(to.plane(p), y)), rowOf(plane, y),
                          static_cast<size_t>(plane.width));
  }
  return {};
}

}  // namespace framewright
