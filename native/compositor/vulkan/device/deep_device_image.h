#pragma once

#include "compositor/deep/deep_image.h"
#include "compositor/vulkan/device/device_image.h"

namespace framewright::gpu {

// An image of the CPU compositor of high precision. Opaque ones are planes of codes of 10 bits, whose mip
// levels have fraction bits; others are premultiplied R, G, B and alpha in Q15, so that they keep full
// chroma.
class DeepDeviceImage final : public DeviceImage {
 public:
  explicit DeepDeviceImage(std::shared_ptr<const DeepImage> image) : host_(std::move(image)) {}

  int width() const override { return host_->width(); }
  int height() const override { return host_->height(); }
  bool isOpaque() const override { return host_->isOpaque(); }
  double chromaOffset() const override { return codes_ == nullptr ? 0 : codes_->chromaOffset(); }
  Result<PreparedImagePtr> hostImage() const override { return PreparedImagePtr(host_); }
  Status load() const override;
  int firstLevel() const override { return firstLevel_; }
  int firstFraction() const override { return firstFraction_; }
  void upload(uint8_t* to) const override;

 private:
  Status loadCodes() const;
  Status loadPixels() const;

  const std::shared_ptr<const DeepImage> host_;
  mutable std::shared_ptr<const CodeImage> codes_;  // of an opaque image
  mutable const FloatImage* pixels_ = nullptr;      // of others
  mutable int firstLevel_ = 0, firstFraction_ = 0;
};

// The layouts of all mip levels of planes of codes, of which the first is the level `firstLevel`.
std::vector<SurfaceLayout> deepLevelsOf(CanvasSize first, int firstLevel);

}  // namespace framewright::gpu
