#include <algorithm>
#include <cmath>

#include "compositor/changes/frame_history.h"
#include "compositor/changes/frame_parts.h"
#include "compositor/compositor.h"
#include "compositor/cpu/list_composer.h"
#include "compositor/cpu/stills/still_file.h"
#include "compositor/cpu/stills/still_planes.h"
#include "compositor/plan/layer_placement.h"
#include "compositor/planar_image.h"

namespace framewright {
namespace {

int preparedSize(int own, double drawn) {
  if (drawn <= 0) return own;
  return std::clamp(static_cast<int>(std::lround(drawn)), 1, own);
}

class CpuCompositor : public Compositor {
 public:
  bool sharesImages() const override { return true; }

  Result<PreparedImagePtr> prepareStill(const Image& image, double drawnWidth, double drawnHeight) override {
    const int width = preparedSize(image.width(), drawnWidth),
              height = preparedSize(image.height(), drawnHeight);
    const bool isPlanar = image.format() == PixelFormat::kI420;
    std::shared_ptr<const PlanarImage> planes;
    if (isPlanar) {
      planes = wrapForReading(image);
    } else {
      FW_ASSIGN_OR_RETURN(planes, convertRgba(image));
    }
    // I420 images belong to the caller, so their samples are copied even without scaling. The copy also moves
    // centred chroma to left siting.
    if (isPlanar || width != image.width() || height != image.height()) {
      FW_ASSIGN_OR_RETURN(planes, scaleImage(*planes, width, height));
    }
    return PreparedImagePtr(planes);
  }

  Status writeStill(const PreparedImage& still, double drawnWidth, double drawnHeight,
                    const std::string& path) const override {
    return writeStillFile(static_cast<const PlanarImage&>(still), drawnWidth, drawnHeight, path);
  }

  Result<PreparedImagePtr> readStill(const std::string& path, double drawnWidth,
                                     double drawnHeight) const override {
    FW_ASSIGN_OR_RETURN(auto image, readStillFile(path, drawnWidth, drawnHeight));
    return PreparedImagePtr(std::move(image));
  }

  Result<PreparedImagePtr> prepareVideoFrame(ImagePtr image, double drawnWidth, double drawnHeight) override {
    if (image->format() != PixelFormat::kI420) return prepareStill(*image, drawnWidth, drawnHeight);
    return PreparedImagePtr(wrapImage(std::move(image)));
  }

  ImagePtr passThrough(const DrawList& list, std::span<const PreparedImagePtr> images, int width,
                       int height) const override {
    const CanvasSize canvas{width, height};
    const auto shown = imageShownAlone(list, canvas);
    if (!shown || *shown >= images.size()) return nullptr;
    const ImagePtr& source = static_cast<const PlanarImage&>(*images[*shown]).source();
    return source != nullptr && isComposedFrame(*source, PixelFormat::kI420, canvas) ? source : nullptr;
  }

  Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override {
    return redraw({list, images}, frame, {PixelRect{0, 0, frame.width(), frame.height()}});
  }

  Status recompose(const DrawList& list, std::span<const PreparedImagePtr> images,
                   const ComposedFrame& before, Image& frame) override {
    const CanvasSize canvas{frame.width(), frame.height()};
    if (before.frame.width() != canvas.width || before.frame.height() != canvas.height)
      return compose(list, images, frame);
    const ListedLayers layers{list, images};
    const std::vector<PixelRect> changed =
        changedRects({before.list, before.images}, layers, canvas, isOpaquePlanar);
    const bool all = changed.size() == 1 && changed[0] == canvas.pixels();
    if (!all && &before.frame != &frame) {
      for (const PixelRect& rect : history_.between(frame.contents, before.frame.contents, canvas)) {
        copyPart(frame, before.frame, rect);
      }
    }
    history_.continueFrom(before.frame.contents);
    return redraw(layers, frame, changed);
  }

  const LayerTimes* layerTimes() const override { return &composer_.times(); }

 private:
  static std::shared_ptr<const PlanarImage> wrapForReading(const Image& image) {
    const Plane planes[3] = {image.plane(0), image.plane(1), image.plane(2)};
    auto view = Image::wrap(PixelFormat::kI420, image.width(), image.height(), planes, nullptr);
    view->siting = image.siting;
    return wrapImage(view);
  }

  // Redraws these parts of a frame that already shows the list.
  Status redraw(const ListedLayers& layers, Image& frame, const std::vector<PixelRect>& parts) {
    frame.contents = 0;
    composer_.times().clear();
    for (const PixelRect& part : parts) FW_RETURN_IF_ERROR(composer_.compose(layers, frame, part));
    composer_.endFrame();
    frame.contents = history_.add(parts);
    return {};
  }

  ListComposer composer_;
  FrameHistory history_;
};

}  // namespace

std::unique_ptr<Compositor> createCpuCompositor() { return std::make_unique<CpuCompositor>(); }

}  // namespace framewright
