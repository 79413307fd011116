#include "compositor/vulkan/device/device_image.h"

#include <algorithm>

#include "core/planes.h"

namespace framewright::gpu {

PlanarDeviceImage::PlanarDeviceImage(std::shared_ptr<const PlanarImage> planes) : host_(std::move(planes)) {
  int found = 0;
  const ImagePlanes& first = host_->level(0, found);
  addPlanarLevels({first.y.width, first.y.height}, first.u.width, first.u.height, !host_->isOpaque());
}

void DeviceImage::addPlanarLevels(CanvasSize size, int chromaWidth, int chromaHeight, bool hasAlpha) {
  SurfaceLayout layout = layoutOf(size.width, size.height, chromaWidth, chromaHeight, hasAlpha);
  levels_.push_back(layout);
  while (static_cast<int>(levels_.size()) < PlanarImage::kMaxLevels &&
         std::min(chromaWidth, chromaHeight) >= 2) {
    chromaWidth = (chromaWidth + 1) / 2;
    chromaHeight = (chromaHeight + 1) / 2;
    layout = layoutOf((layout.width + 1) / 2, (layout.height + 1) / 2, chromaWidth, chromaHeight,
                      layout.hasAlpha, layout.samples);
    levels_.push_back(layout);
  }
}

void PlanarDeviceImage::upload(uint8_t* to) const {
  int found = 0;
  const ImagePlanes& from = host_->level(0, found);
  const SurfaceLayout& layout = levels_[0];
  const auto copy = [to](const Plane& plane, uint32_t at, uint32_t stride) {
    if (plane.data != nullptr) copyPlane(plane, {to + at, static_cast<ptrdiff_t>(stride)});
  };
  copy(from.y, layout.y, layout.lumaStride);
  copy(from.u, layout.u, layout.chromaStride);
  copy(from.v, layout.v, layout.chromaStride);
  copy(from.alpha, layout.alpha, layout.lumaStride);
  copy(from.chromaAlpha, layout.chromaAlpha, layout.chromaStride);
}

}  // namespace framewright::gpu
