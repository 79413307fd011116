#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>

#include "compositor/compositor.h"
#include "compositor/deep/canvas_curves.h"
#include "compositor/deep/float_image.h"
#include "compositor/deep/planes/images/alpha_image.h"
#include "compositor/deep/planes/images/code_image.h"
#include "compositor/deep/planes/overlay_planes.h"
#include "compositor/plan/plane_mapping.h"

namespace framewright {

// An image that is converted to the canvas's colors, or of a mask to SDR, on first use, with mip levels.
// Immutable to its users; any thread.
class DeepImage final : public PreparedImage {
 public:
  static constexpr int kMaxLevels = 14;

  // A frame of a video, which is converted on first use. kI010 has the canvas's colors, other formats are
  // SDR.
  DeepImage(ImagePtr source, std::shared_ptr<const CanvasCurves> curves);
  // An image that exists already: the level `firstLevel` of one of this size, in the colors of `curves`,
  // which only codes() needs.
  DeepImage(int width, int height, int firstLevel, FloatImage image,
            std::shared_ptr<const CanvasCurves> curves = nullptr);
  // Converts a still. Levels before `firstLevel` are not made, because it is never drawn so large.
  static Result<std::shared_ptr<const DeepImage>> ofStill(const Image& image, int firstLevel,
                                                          std::shared_ptr<const CanvasCurves> curves);

  int width() const { return width_; }
  int height() const { return height_; }
  bool isOpaque() const { return isOpaque_; }
  // Null unless it is a frame of a video.
  const ImagePtr& source() const { return source_; }

  // The largest level.
  Result<const FloatImage*> first() const {
    int found = 0;
    return level(0, found);
  }
  // The image at 1 / 2^level of the size, or the nearest level that exists; `found` is set to it. Fails with
  // OUT_OF_MEMORY.
  Result<const FloatImage*> level(int level, int& found) const;

  // The planes of an opaque image on a canvas whose layers are blended as signals, made once, in its own
  // colors: those of the canvas, or of a mask SDR. Fails with OUT_OF_MEMORY.
  Result<std::shared_ptr<const CodeImage>> codes() const;
  // The planes of an image with alpha of which the largest level is drawn unscaled, made once per site. Fails
  // with OUT_OF_MEMORY.
  Result<std::shared_ptr<const OverlayPlanes>> overlay(const OverlaySite& site,
                                                       const kernels::YcbcrScale& scale) const;

  // The planes of an image with alpha that is scaled or rotated, made once. Fails with OUT_OF_MEMORY.
  Result<std::shared_ptr<const AlphaImage>> alphaPlanes(const kernels::YcbcrScale& scale) const;

  // A version for another compositor, made once.
  Result<PreparedImagePtr> convertedBy(
      const std::function<Result<PreparedImagePtr>(const DeepImage&)>& make) const;

 private:
  ImagePtr source_;
  std::shared_ptr<const CanvasCurves> curves_;
  int width_ = 0, height_ = 0, firstLevel_ = 0;
  bool isOpaque_ = true;
  mutable std::mutex making_;
  mutable std::array<FloatImage, kMaxLevels> levels_;
  mutable int made_ = 0;  // one past the last level
  mutable std::shared_ptr<const CodeImage> codes_;
  mutable std::array<std::shared_ptr<const OverlayPlanes>, OverlaySite::kCount> overlays_;
  mutable std::shared_ptr<const AlphaImage> alphaPlanes_;
  mutable PreparedImagePtr converted_;
};

// Samples of a level that belong to `crop` (pixels of level 0); at least one.
SampleBounds boundsOf(const Rect& crop, int level, const FloatImage& image);

}  // namespace framewright
