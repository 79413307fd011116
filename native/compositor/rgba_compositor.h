#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "compositor/compositor.h"
#include "timeline/timeline.h"

namespace framewright {

// A compositor whose frames are kRgbaStraight with the transparency that the layers leave, in place of kI420
// over black. Every frame is drawn over two backdrops; what differs between them is transparent. Each pass
// redraws only what changed since the frame before.
class RgbaCompositor final : public Compositor {
 public:
  // Fails like createCompositor(), which chooses what draws. Any thread.
  static Result<std::unique_ptr<RgbaCompositor>> create(CompositorChoice choice, bool keepsOverBlack = false);

  // With `keepsOverBlack`: the same frame over black as kI420, the bytes of an opaque compositor. `frame` was
  // composed here. An encoder may retain the result.
  ImagePtr overBlack(const Image& frame) const;

  bool sharesImages() const override;
  Result<PreparedImagePtr> prepareStill(const Image& image, double drawnWidth, double drawnHeight) override;
  Status writeStill(const PreparedImage& still, double drawnWidth, double drawnHeight,
                    const std::string& path) const override;
  Result<PreparedImagePtr> readStill(const std::string& path, double drawnWidth,
                                     double drawnHeight) const override;
  Result<PreparedImagePtr> prepareVideoFrame(ImagePtr image, double drawnWidth, double drawnHeight) override;
  Result<std::shared_ptr<Image>> createFrame(PixelFormat wanted, int width, int height) override;
  Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) override;
  std::optional<DeviceIdentity> device() const override;
  std::string deviceFailure() const override;

 private:
  struct Pass {
    Color backdrop;
    std::shared_ptr<Compositor> compositor;
    std::shared_ptr<Image> frame = nullptr;  // shows `list`
    DrawList list = {};
    std::vector<PreparedImagePtr> images = {};
  };

  RgbaCompositor(std::shared_ptr<Compositor> dark, std::shared_ptr<Compositor> bright, bool keepsOverBlack);
  Compositor& compositor() const { return *passes_[0].compositor; }
  static Status draw(Pass& pass, const DrawList& list, std::span<const PreparedImagePtr> images,
                     std::shared_ptr<Image> target, const Image& canvas);

  const bool keepsOverBlack_;
  std::array<Pass, 2> passes_;                                // over black, over a bright color
  std::map<const Image*, std::shared_ptr<Image>> overBlack_;  // by frame
};

}  // namespace framewright
