#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "compositor/compositor.h"
#include "compositor/planar_image.h"
#include "compositor/vulkan/device/surface_layout.h"
#include "vulkan/buffer.h"

namespace framewright::gpu {

class SharedFrame;

// A prepared image in host memory and, while the budget allows, in device memory. Only the composing thread
// uses the device part.
class DeviceImage : public PreparedImage {
 public:
  virtual int width() const = 0;
  virtual int height() const = 0;
  virtual bool isOpaque() const = 0;
  // See PlanarImage::chromaOffset().
  virtual double chromaOffset() const = 0;
  // The image of the CPU compositor that draws instead of the device. Fails as DecodedFrame::download() does.
  virtual Result<PreparedImagePtr> hostImage() const = 0;
  // Makes what is uploaded, and so the layouts; the other functions below need it. Fails with OUT_OF_MEMORY.
  virtual Status load() const { return {}; }
  // The mip level that is levels()[0]: larger ones are never drawn.
  virtual int firstLevel() const { return 0; }
  // Fraction bits of the samples of levels()[0] of planes of 16 bits.
  virtual int firstFraction() const { return 0; }
  // The frame in device memory from which a pass makes levels()[0]; null: they are uploaded.
  virtual const SharedFrame* frame() const { return nullptr; }
  // Whether the samples of frame() are bytes.
  virtual bool hasBytes() const { return true; }
  // Writes the samples of levels()[0].
  virtual void upload(uint8_t* to) const = 0;

  // Layouts of all mip levels, equal to the CPU's.
  const std::vector<SurfaceLayout>& levels() const { return levels_; }
  uint64_t bytes() const { return levels_.back().bytes() + kReadBeyond; }

  mutable std::shared_ptr<vulkan::Buffer> buffer;  // null: not uploaded
  mutable int levelsMade = 0;
  mutable uint64_t lastUsed = 0;

 protected:
  // Lays out all levels of an image of 8 bits.
  void addPlanarLevels(CanvasSize size, int chromaWidth, int chromaHeight, bool hasAlpha);

  mutable std::vector<SurfaceLayout> levels_;
};

// An image of the CPU compositor of 8 bits.
class PlanarDeviceImage final : public DeviceImage {
 public:
  explicit PlanarDeviceImage(std::shared_ptr<const PlanarImage> planes);

  int width() const override { return host_->width(); }
  int height() const override { return host_->height(); }
  bool isOpaque() const override { return host_->isOpaque(); }
  double chromaOffset() const override { return host_->chromaOffset(); }
  Result<PreparedImagePtr> hostImage() const override { return PreparedImagePtr(host_); }
  void upload(uint8_t* to) const override;

 private:
  std::shared_ptr<const PlanarImage> host_;
};

}  // namespace framewright::gpu
