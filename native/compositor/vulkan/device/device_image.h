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

// An image in the working format in host memory and, while the budget allows, in device memory. Only the
// composing thread uses the device part.
class DeviceImage : public PreparedImage {
 public:
  explicit DeviceImage(std::shared_ptr<const PlanarImage> planes);

  const PlanarImage& host() const { return *host_; }
  const std::shared_ptr<const PlanarImage>& hostImage() const { return host_; }
  int width() const { return host_->width(); }
  int height() const { return host_->height(); }
  bool isOpaque() const { return host_->isOpaque(); }
  // Layouts of all mip levels, equal to the CPU's.
  const std::vector<SurfaceLayout>& levels() const { return levels_; }
  uint64_t bytes() const { return levels_.back().bytes + kReadBeyond; }

  mutable std::shared_ptr<vulkan::Buffer> buffer;  // null: not uploaded
  mutable int levelsMade = 0;
  mutable uint64_t lastUsed = 0;

 private:
  std::shared_ptr<const PlanarImage> host_;
  std::vector<SurfaceLayout> levels_;
};

}  // namespace framewright::gpu
