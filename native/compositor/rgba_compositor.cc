#include "compositor/rgba_compositor.h"

#include <utility>

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

// Draws every frame over two backdrops; what differs between them is transparent. Each pass redraws only what
// changed since the frame before.
class RgbaCompositor final : public Compositor {
 public:
  bool sharesImages() const override { return true; }
  Result<PreparedImagePtr> prepareStill(const Image& image, double drawnWidth, double drawnHeight) override {
    return passes_[0].compositor->prepareStill(image, drawnWidth, drawnHeight);
  }
  Status writeStill(const PreparedImage& still, double drawnWidth, double drawnHeight,
                    const std::string& path) const override {
    return passes_[0].compositor->writeStill(still, drawnWidth, drawnHeight, path);
  }
  Result<PreparedImagePtr> readStill(const std::string& path, double drawnWidth,
                                     double drawnHeight) const override {
    return passes_[0].compositor->readStill(path, drawnWidth, drawnHeight);
  }
  Result<PreparedImagePtr> prepareVideoFrame(ImagePtr image, double drawnWidth, double drawnHeight) override {
    return passes_[0].compositor->prepareVideoFrame(std::move(image), drawnWidth, drawnHeight);
  }
  Result<std::shared_ptr<Image>> createFrame(PixelFormat, int width, int height) override {
    return Image::create(PixelFormat::kRgbaStraight, width, height);
  }

  Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    for (Pass& pass : passes_) FW_RETURN_IF_ERROR(draw(pass, list, images, frame.width(), frame.height()));
    writeStraightFrame({*passes_[0].frame, yuvOf(passes_[0].backdrop)},
                       {*passes_[1].frame, yuvOf(passes_[1].backdrop)}, frame);
    return {};
  }

 private:
  struct Pass {
    Color backdrop;
    std::unique_ptr<Compositor> compositor = createCpuCompositor();
    std::shared_ptr<Image> frame;  // shows `list`
    DrawList list;
    std::vector<PreparedImagePtr> images;
  };

  static Status draw(Pass& pass, const DrawList& list, std::span<const PreparedImagePtr> images, int width,
                     int height) {
    DrawList covered = withBackdrop(list, pass.backdrop, width, height);
    Status status;
    if (pass.frame == nullptr || pass.frame->width() != width || pass.frame->height() != height) {
      FW_ASSIGN_OR_RETURN(pass.frame, pass.compositor->createFrame(PixelFormat::kI420, width, height));
      status = pass.compositor->compose(covered, images, *pass.frame);
    } else {
      const ComposedFrame before{pass.list, pass.images, *pass.frame};
      status = pass.compositor->recompose(covered, images, before, *pass.frame);
    }
    if (!status.ok()) pass.frame = nullptr;
    pass.list = std::move(covered);
    pass.images.assign(images.begin(), images.end());
    return status;
  }

  // Yellow is far from black in luma and in blue-difference chroma, so the alpha of both is measured.
  Pass passes_[2] = {{kBlack}, {Color{255, 255, 0, 255}}};
};

}  // namespace

std::unique_ptr<Compositor> createRgbaCompositor() { return std::make_unique<RgbaCompositor>(); }

}  // namespace framewright
