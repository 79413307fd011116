#include "compositor/vulkan/device/device_image.h"

#include <algorithm>

namespace framewright::gpu {

DeviceImage::DeviceImage(std::shared_ptr<const PlanarImage> planes) : host_(std::move(planes)) {
  int found = 0;
  const ImagePlanes& first = host_->level(0, found);
  SurfaceLayout layout =
      layoutOf(first.y.width, first.y.height, first.u.width, first.u.height, !host_->isOpaque());
  int chromaWidth = first.u.width, chromaHeight = first.u.height;
  levels_.push_back(layout);
  while (static_cast<int>(levels_.size()) < PlanarImage::kMaxLevels &&
         std::min(chromaWidth, chromaHeight) >= 2) {
    chromaWidth = (chromaWidth + 1) / 2;
    chromaHeight = (chromaHeight + 1) / 2;
    layout = layoutOf((layout.width + 1) / 2, (layout.height + 1) / 2, chromaWidth, chromaHeight,
                      layout.hasAlpha, layout.bytes);
    levels_.push_back(layout);
  }
}

}  // namespace framewright::gpu
