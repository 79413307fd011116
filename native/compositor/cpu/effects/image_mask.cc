#include "compositor/cpu/effects/image_mask.h"

#include <algorithm>

namespace framewright {
namespace {

constexpr int kBlack = 16, kLumaRange = 219;  // limited range
constexpr float kWeightPerLuma = kernels::kFullWeight / (kLumaRange * 255.0f);

}  // namespace

Status ImageMask::apply(const LayerBuffer& layer, const PlanarImage& mask, const Affine& box,
                        ImageDrawer& images) {
  const Surface& surface = layer.surface();
  FW_RETURN_IF_ERROR(drawn_.begin(layer.x(), layer.y(), surface.width, surface.height, surface.isDithered));
  const Rect whole{0, 0, static_cast<double>(mask.width()), static_cast<double>(mask.height())};
  // The box's edges are the layer's edges; antialiasing them in the mask too would attenuate them twice.
  images.draw(drawn_.surface(), mask, {whole, layer.fromCanvas() * box, layer.rect(), 1, true, true});
  const Plane &luma = drawn_.surface().planes.y, &alphas = drawn_.surface().planes.alpha;
  eraseRows(surface, rows_, [&](int y, uint16_t* hidden) {
    const uint8_t* const row = luma.data + y * luma.stride;
    const uint8_t* const alpha = alphas.data + y * alphas.stride;
    for (int x = 0; x < luma.width; ++x) {
      const int shown = std::clamp(row[x] * 255 - kBlack * alpha[x], 0, kLumaRange * 255);
      hidden[x] =
          static_cast<uint16_t>(kernels::kFullWeight - static_cast<int>(shown * kWeightPerLuma + 0.5f));
    }
    return true;
  });
  return {};
}

}  // namespace framewright
