#include "compositor/deep/deep_image.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compositor/deep/read_image.h"
#include "compositor/deep/write_frame.h"

namespace framewright {
namespace {

int halved(int size) { return (size + 1) / 2; }

// Adds a row to the row of half the height; the last column counts twice where the width is odd.
void addHalved(FloatImage& to, int y, const FloatImage& from, int fromY, float weight) {
  for (int channel = 0; channel < to.channels(); ++channel) {
    float* const out = to.row(channel, y);
    const float* const in = from.row(channel, fromY);
    const int pairs = from.width() / 2;
    for (int x = 0; x < pairs; ++x) out[x] += (in[2 * x] + in[2 * x + 1]) * weight;
    if (from.width() % 2 != 0) out[pairs] += 2 * in[pairs * 2] * weight;
  }
}

Result<FloatImage> halve(const FloatImage& from) {
  FW_ASSIGN_OR_RETURN(FloatImage to,
                      FloatImage::create(halved(from.width()), halved(from.height()), from.hasAlpha()));
  to.clear();
  for (int y = 0; y < to.height(); ++y) {
    addHalved(to, y, from, 2 * y, 0.25f);
    addHalved(to, y, from, std::min(2 * y + 1, from.height() - 1), 0.25f);
  }
  return to;
}

// Reads an image at 1 / 2^level of its size, so that a large photo is never in memory as floats.
Result<FloatImage> readReduced(const Image& image, int level, const CanvasCurves& curves) {
  RowReader reader(image, curves);
  const bool hasAlpha = !isOpaque(image);
  int width = image.width(), height = image.height();
  for (int i = 0; i < level; ++i) width = halved(width), height = halved(height);
  FW_ASSIGN_OR_RETURN(FloatImage reduced, FloatImage::create(width, height, hasAlpha));
  if (level == 0) {
    for (int y = 0; y < height; ++y) reader.read(y, reduced.at(0, y));
    return reduced;
  }
  std::vector<FloatImage> lines(static_cast<size_t>(level) + 1);
  for (int i = 0, lineWidth = image.width(); i <= level; ++i, lineWidth = halved(lineWidth))
    FW_RETURN_IF_ERROR(lines[static_cast<size_t>(i)].resize(lineWidth, 1, hasAlpha));
  reduced.clear();
  const int band = 1 << level;
  for (int y = 0; y < height; ++y) {
    for (int i = 0; i < band; ++i) {
      reader.read(std::min(y * band + i, image.height() - 1), lines[0].at(0, 0));
      for (size_t k = 1; k < lines.size(); ++k) {
        lines[k].clear();
        addHalved(lines[k], 0, lines[k - 1], 0, 0.5f);
      }
      for (int channel = 0; channel < reduced.channels(); ++channel) {
        kernels::addScaledFloats(reduced.row(channel, y), lines.back().row(channel, 0),
                                 1.0f / static_cast<float>(band), static_cast<size_t>(width));
      }
    }
  }
  return reduced;
}

}  // namespace

SampleBounds boundsOf(const Rect& crop, int level, const FloatImage& image) {
  return boundsOf(crop, PlaneGroup::kLuma, level, Plane{nullptr, 0, image.width(), image.height()});
}

DeepImage::DeepImage(ImagePtr source, std::shared_ptr<const CanvasCurves> curves)
    : source_(std::move(source)),
      curves_(std::move(curves)),
      width_(source_->width()),
      height_(source_->height()),
      isOpaque_(framewright::isOpaque(*source_)) {}

DeepImage::DeepImage(int width, int height, int firstLevel, FloatImage image,
                     std::shared_ptr<const CanvasCurves> curves)
    : curves_(std::move(curves)),
      width_(width),
      height_(height),
      firstLevel_(firstLevel),
      isOpaque_(!image.hasAlpha()),
      made_(firstLevel + 1) {
  levels_[static_cast<size_t>(firstLevel)] = std::move(image);
}

Result<std::shared_ptr<const DeepImage>> DeepImage::ofStill(const Image& image, int firstLevel,
                                                            std::shared_ptr<const CanvasCurves> curves) {
  const int level = std::clamp(firstLevel, 0, kMaxLevels - 1);
  FW_ASSIGN_OR_RETURN(FloatImage first, readReduced(image, level, *curves));
  return std::make_shared<const DeepImage>(image.width(), image.height(), level, std::move(first),
                                           std::move(curves));
}

Result<const FloatImage*> DeepImage::level(int level, int& found) const {
  const std::lock_guard lock(making_);
  if (made_ == 0) {
    FW_ASSIGN_OR_RETURN(levels_[0], readReduced(*source_, 0, *curves_));
    made_ = 1;
  }
  const int wanted = std::clamp(level, firstLevel_, kMaxLevels - 1);
  while (made_ <= wanted) {
    const FloatImage& last = levels_[static_cast<size_t>(made_ - 1)];
    if (last.width() == 1 && last.height() == 1) break;
    FW_ASSIGN_OR_RETURN(levels_[static_cast<size_t>(made_)], halve(last));
    ++made_;
  }
  found = std::min(wanted, made_ - 1);
  return &levels_[static_cast<size_t>(found)];
}

Result<std::shared_ptr<const CodeImage>> DeepImage::codes() const {
  const std::lock_guard lock(making_);
  if (codes_ != nullptr) return codes_;
  const PixelFormat format = source_ == nullptr ? PixelFormat::kRgbaStraight : source_->format();
  ImagePtr planes;
  if (format == PixelFormat::kI420 && curves_->keepsSdr()) {
    codes_ = std::make_shared<const CodeImage>(source_);
    return codes_;
  }
  if (format == PixelFormat::kI010) {
    planes = source_;
  } else {
    if (made_ == 0) {
      FW_ASSIGN_OR_RETURN(levels_[0], readReduced(*source_, 0, *curves_));
      made_ = 1;
    }
    FloatImage& first = levels_[static_cast<size_t>(firstLevel_)];
    FW_ASSIGN_OR_RETURN(auto codes, Image::create(PixelFormat::kI010, first.width(), first.height()));
    writeDeepFrame(first, *curves_, false, *codes);
    planes = std::move(codes);
  }
  codes_ = std::make_shared<const CodeImage>(width_, height_, firstLevel_, CodeLevel{std::move(planes), 0});
  return codes_;
}

Result<std::shared_ptr<const OverlayPlanes>> DeepImage::overlay(const OverlaySite& site,
                                                                const kernels::YcbcrScale& scale) const {
  FW_ASSIGN_OR_RETURN(const FloatImage* const image, first());
  const std::lock_guard lock(making_);
  auto& planes = overlays_[site.index()];
  if (planes == nullptr) planes = std::make_shared<const OverlayPlanes>(*image, site, scale);
  return planes;
}

Result<std::shared_ptr<const AlphaImage>> DeepImage::alphaPlanes(const kernels::YcbcrScale& scale) const {
  FW_ASSIGN_OR_RETURN(const FloatImage* const image, first());
  const std::lock_guard lock(making_);
  if (alphaPlanes_ == nullptr)
    alphaPlanes_ = std::make_shared<const AlphaImage>(width_, height_, firstLevel_, *image, scale);
  return alphaPlanes_;
}

Result<PreparedImagePtr> DeepImage::convertedBy(
    const std::function<Result<PreparedImagePtr>(const DeepImage&)>& make) const {
  {
    const std::lock_guard lock(making_);
    if (converted_ != nullptr) return converted_;
  }
  FW_ASSIGN_OR_RETURN(PreparedImagePtr converted, make(*this));
  const std::lock_guard lock(making_);
  converted_ = converted;
  return converted;
}

}  // namespace framewright
