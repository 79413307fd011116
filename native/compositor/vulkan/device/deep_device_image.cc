#include "compositor/vulkan/device/deep_device_image.h"

#include <algorithm>

#include "core/planes.h"

namespace framewright::gpu {
namespace {

int halved(int size) { return (size + 1) / 2; }

// Adds the levels that follow the first layout, as those of CodeImage and DeepImage. `next` lays out a level.
template <class Next>
void addLevels(std::vector<SurfaceLayout>& levels, int firstLevel, const Next& next) {
  for (int level = firstLevel + 1; level < DeepImage::kMaxLevels; ++level) {
    const SurfaceLayout& last = levels.back();
    if (last.width == 1 && last.height == 1) break;
    levels.push_back(next(halved(last.width), halved(last.height), last.samples));
  }
}

}  // namespace

std::vector<SurfaceLayout> deepLevelsOf(CanvasSize first, int firstLevel) {
  const auto layout = [](int width, int height, uint32_t at) {
    SurfaceLayout planes = layoutOf(width, height, halved(width), halved(height), false, at);
    planes.sampleBytes = 2;
    return planes;
  };
  std::vector<SurfaceLayout> levels{layout(first.width, first.height, 0)};
  addLevels(levels, firstLevel, layout);
  return levels;
}

Status DeepDeviceImage::load() const {
  if (!levels_.empty()) return {};
  return isOpaque() ? loadCodes() : loadPixels();
}

Status DeepDeviceImage::loadCodes() const {
  FW_ASSIGN_OR_RETURN(codes_, host_->codes());
  FW_ASSIGN_OR_RETURN(const CodeLevel first, codes_->level(0, firstLevel_));
  firstFraction_ = first.fractionBits;
  levels_ = deepLevelsOf({first.image->width(), first.image->height()}, firstLevel_);
  return {};
}

Status DeepDeviceImage::loadPixels() const {
  FW_ASSIGN_OR_RETURN(pixels_, host_->level(0, firstLevel_));
  levels_.push_back(rgbaLayoutOf(pixels_->width(), pixels_->height()));
  addLevels(levels_, firstLevel_, rgbaLayoutOf);
  return {};
}

void DeepDeviceImage::upload(uint8_t* to) const {
  const SurfaceLayout& layout = levels_[0];
  const uint32_t starts[] = {layout.y, layout.u, layout.v, layout.alpha};
  if (codes_ != nullptr) {
    int found = 0;
    const auto first = codes_->level(0, found);
    for (int p = 0; p < 3; ++p) {
      const uint32_t stride = p == 0 ? layout.lumaStride : layout.chromaStride;
      copyPlane(first.value().image->plane(p), {to + 2 * starts[p], static_cast<ptrdiff_t>(2 * stride)}, 2);
    }
    return;
  }
  auto* const samples = reinterpret_cast<int16_t*>(to);
  constexpr float kFull = kernels::kFullWeight;
  for (int channel = 0; channel < 4; ++channel) {
    for (int y = 0; y < layout.height; ++y) {
      const float* const from = pixels_->row(channel, y);
      int16_t* const row = samples + starts[channel] + static_cast<size_t>(y) * layout.lumaStride;
      for (int x = 0; x < layout.width; ++x)
        row[x] = static_cast<int16_t>(std::clamp(from[x], 0.0f, 1.0f) * kFull + 0.5f);
    }
  }
}

}  // namespace framewright::gpu
