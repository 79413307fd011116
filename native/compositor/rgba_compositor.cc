#include "compositor/rgba_compositor.h"

#include <utility>

#include "compositor/choose_compositor.h"
#include "compositor/plan/color.h"
#include "compositor/straight_frame.h"

namespace framewright {
namespace {

// The list over an opaque backdrop; the sides of transitions get the same backdrop.
DrawList withBackdrop(const DrawList& list, const Color& color, int width, int height) {
  DrawList covered;
  covered.images = list.images;
  covered.isDithered = list.isDithered;
  Layer backdrop;
  backdrop.fill = color;
  backdrop.toCanvas = scaling(width, height);
  covered.layers.reserve(list.layers.size() + 1);
  covered.layers.push_back(std::move(backdrop));
  static const DrawList kEmptySide;
  for (const Layer& layer : list.layers) {
    Layer& copy = covered.layers.emplace_back(layer);
    if (layer.kind != Layer::Kind::kTransition) continue;
    const auto side = [&](const std::shared_ptr<const DrawList>& from) {
      return std::make_shared<const DrawList>(withBackdrop(from ? *from : kEmptySide, color, width, height));
    };
    copy.from = side(layer.from);
    copy.to = side(layer.to);
  }
  return covered;
}

}  // namespace

Result<std::unique_ptr<RgbaCompositor>> RgbaCompositor::create(CompositorChoice choice, bool keepsOverBlack) {
  FW_ASSIGN_OR_RETURN(std::unique_ptr<Compositor> chosen, createCompositor(choice));
  std::shared_ptr<Compositor> dark = std::move(chosen), bright = dark;
  // On the CPU, each pass remembers its own frames.
  if (dark->sharesImages()) bright = createCpuCompositor();
  return std::unique_ptr<RgbaCompositor>(
      new RgbaCompositor(std::move(dark), std::move(bright), keepsOverBlack));
}

// Yellow is far from black in luma and in blue-difference chroma, so the alpha of both is measured.
RgbaCompositor::RgbaCompositor(std::shared_ptr<Compositor> dark, std::shared_ptr<Compositor> bright,
                               bool keepsOverBlack)
    : keepsOverBlack_(keepsOverBlack),
      passes_{Pass{kBlack, std::move(dark)}, Pass{Color{255, 255, 0, 255}, std::move(bright)}} {}

bool RgbaCompositor::sharesImages() const { return compositor().sharesImages(); }

Result<PreparedImagePtr> RgbaCompositor::prepareStill(const Image& image, double drawnWidth,
                                                      double drawnHeight) {
  return compositor().prepareStill(image, drawnWidth, drawnHeight);
}

Status RgbaCompositor::writeStill(const PreparedImage& still, double drawnWidth, double drawnHeight,
                                  const std::string& path) const {
  return compositor().writeStill(still, drawnWidth, drawnHeight, path);
}

Result<PreparedImagePtr> RgbaCompositor::readStill(const std::string& path, double drawnWidth,
                                                   double drawnHeight) const {
  return compositor().readStill(path, drawnWidth, drawnHeight);
}

Result<PreparedImagePtr> RgbaCompositor::prepareVideoFrame(ImagePtr image, double drawnWidth,
                                                           double drawnHeight) {
  return compositor().prepareVideoFrame(std::move(image), drawnWidth, drawnHeight);
}

Result<std::shared_ptr<Image>> RgbaCompositor::createFrame(PixelFormat, int width, int height) {
  return Image::create(PixelFormat::kRgbaStraight, width, height);
}

std::optional<DeviceIdentity> RgbaCompositor::device() const { return compositor().device(); }

std::string RgbaCompositor::deviceFailure() const { return compositor().deviceFailure(); }

Status RgbaCompositor::compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) {
  auto& [dark, bright] = passes_;
  std::shared_ptr<Image> target = dark.frame;
  if (keepsOverBlack_) {
    // An encoder may still read the image that belonged to the frame.
    target = std::move(overBlack_[&frame]);
    if (target.use_count() != 1) target = nullptr;
  }
  FW_RETURN_IF_ERROR(draw(dark, list, images, std::move(target), frame));
  FW_RETURN_IF_ERROR(draw(bright, list, images, bright.frame, frame));
  writeStraightFrame({*dark.frame, yuvOf(dark.backdrop)}, {*bright.frame, yuvOf(bright.backdrop)}, frame);
  if (keepsOverBlack_) overBlack_[&frame] = dark.frame;
  return {};
}

ImagePtr RgbaCompositor::overBlack(const Image& frame) const {
  const auto found = overBlack_.find(&frame);
  return found == overBlack_.end() ? nullptr : found->second;
}

// Draws into `target`, or into a new frame where it is null or has another size than `canvas`.
Status RgbaCompositor::draw(Pass& pass, const DrawList& list, std::span<const PreparedImagePtr> images,
                            std::shared_ptr<Image> target, const Image& canvas) {
  const int width = canvas.width(), height = canvas.height();
  const auto fits = [&](const std::shared_ptr<Image>& image) {
    return image != nullptr && image->width() == width && image->height() == height;
  };
  DrawList covered = withBackdrop(list, pass.backdrop, width, height);
  if (!fits(target)) {
    FW_ASSIGN_OR_RETURN(target, pass.compositor->createFrame(PixelFormat::kI420, width, height));
  }
  Status status;
  if (fits(pass.frame)) {
    const ComposedFrame before{pass.list, pass.images, *pass.frame};
    status = pass.compositor->recompose(covered, images, before, *target);
  } else {
    status = pass.compositor->compose(covered, images, *target);
  }
  pass.frame = status.ok() ? std::move(target) : nullptr;
  pass.list = std::move(covered);
  pass.images.assign(images.begin(), images.end());
  return status;
}

}  // namespace framewright
