#include "compositor/cpu/stills/still_planes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "compositor/cpu/layers/row_resampler.h"
#include "compositor/plan/plane_mapping.h"
#include "kernels/convert.h"

namespace framewright {
namespace {

using PlaneOwners = std::vector<std::shared_ptr<const void>>;

Result<Plane> addPlane(PlaneOwners& owners, int width, int height) {
  FW_ASSIGN_OR_RETURN(OwnedPlane owned, OwnedPlane::create(width, height));
  owners.push_back(owned.owner);
  return owned.plane;
}

Result<ImagePlanes> addPlanes(PlaneOwners& owners, int width, int height, bool withAlpha) {
  const int chromaWidth = (width + 1) / 2, chromaHeight = (height + 1) / 2;
  ImagePlanes planes;
  FW_ASSIGN_OR_RETURN(planes.y, addPlane(owners, width, height));
  FW_ASSIGN_OR_RETURN(planes.u, addPlane(owners, chromaWidth, chromaHeight));
  FW_ASSIGN_OR_RETURN(planes.v, addPlane(owners, chromaWidth, chromaHeight));
  if (withAlpha) {
    FW_ASSIGN_OR_RETURN(planes.alpha, addPlane(owners, width, height));
    FW_ASSIGN_OR_RETURN(planes.chromaAlpha, addPlane(owners, chromaWidth, chromaHeight));
  }
  return planes;
}

// One row of wide pixels with its edge samples repeated for the chroma filter.
class WidePixels {
 public:
  explicit WidePixels(int width) : width_(static_cast<size_t>(width)), samples_(4 * (width_ + 2 * kMargin)) {}

  kernels::WideRow row() {
    const size_t step = width_ + 2 * kMargin;
    uint16_t* first = samples_.data() + kMargin;
    return {first, first + step, first + 2 * step, first + 3 * step};
  }

  void unpack(const Image& image, int y, uint8_t* alpha) {
    const uint8_t* rgba = image.plane(0).data + y * image.plane(0).stride;
    const bool straight = image.format() == PixelFormat::kRgbaStraight;
    (straight ? kernels::unpackStraightRow : kernels::unpackPremultipliedRow)(row(), alpha, rgba, width_);
    const kernels::WideRow wide = row();
    for (uint16_t* color : {wide.r, wide.g, wide.b, wide.a}) {
      color[-1] = color[0];
      color[width_] = color[width_ - 1];
    }
  }

 private:
  static constexpr size_t kMargin = 4;
  size_t width_;
  std::vector<uint16_t> samples_;
};

// Transposed, because blends dither the result again.
kernels::RowRounding roundingOf(const Image& image, int y) {
  return image.hasGradient ? kernels::transposedDitheredRow(y) : kernels::RowRounding{};
}

void convertRows(const Image& image, const ImagePlanes& planes) {
  WidePixels top(image.width()), bottom(image.width()), sited(planes.u.width);
  const auto width = static_cast<size_t>(image.width()), chromaWidth = static_cast<size_t>(planes.u.width);
  for (int y = 0; y < image.height(); y += 2) {
    const int below = std::min(y + 1, image.height() - 1);
    top.unpack(image, y, planes.alpha.data + y * planes.alpha.stride);
    bottom.unpack(image, below, planes.alpha.data + below * planes.alpha.stride);
    kernels::lumaRow(planes.y.data + y * planes.y.stride, top.row(), width, roundingOf(image, y));
    kernels::lumaRow(planes.y.data + below * planes.y.stride, bottom.row(), width, roundingOf(image, below));
    const kernels::WideRow a = top.row(), b = bottom.row(), mean = sited.row();
    kernels::siteChromaRow(mean.r, a.r, b.r, chromaWidth);
    kernels::siteChromaRow(mean.g, a.g, b.g, chromaWidth);
    kernels::siteChromaRow(mean.b, a.b, b.b, chromaWidth);
    kernels::siteChromaRow(mean.a, a.a, b.a, chromaWidth);
    const int row = y / 2;
    kernels::chromaRow(planes.u.data + row * planes.u.stride, planes.v.data + row * planes.v.stride,
                       planes.chromaAlpha.data + row * planes.chromaAlpha.stride, mean, chromaWidth,
                       roundingOf(image, row));
  }
}

bool isOpaquePlane(const Plane& alpha) {
  for (int y = 0; y < alpha.height; ++y) {
    const uint8_t* row = alpha.data + y * alpha.stride;
    if (!std::all_of(row, row + alpha.width, [](uint8_t a) { return a == 255; })) return false;
  }
  return true;
}

void scalePlane(const Plane& to, const Plane& from, const Affine& mapping, FilterKernel kernel) {
  AxisFilter columns, rows;
  buildAxisFilter(columns, {mapping.xx, mapping.dx}, 0, to.width, 0, from.width - 1, kernel);
  buildAxisFilter(rows, {mapping.yy, mapping.dy}, 0, to.height, 0, from.height - 1, kernel);
  ColumnTables tables;
  packColumns(tables, columns);
  RowResampler resampler;
  resampler.begin(from, {0, 0, from.width - 1, from.height - 1}, tables, rows);
  for (int y = 0; y < to.height; ++y) resampler.write(y, to.data + y * to.stride, to.width);
}

}  // namespace

Result<std::shared_ptr<const PlanarImage>> convertRgba(const Image& image) {
  auto owners = std::make_shared<PlaneOwners>();
  FW_ASSIGN_OR_RETURN(ImagePlanes planes, addPlanes(*owners, image.width(), image.height(), true));
  convertRows(image, planes);
  if (isOpaquePlane(planes.alpha)) {
    planes.alpha = planes.chromaAlpha = {};
    owners->resize(3);
  }
  return std::shared_ptr<const PlanarImage>(
      std::make_shared<PlanarImage>(image.width(), image.height(), 0.25, planes, owners));
}

Result<std::shared_ptr<const PlanarImage>> scaleImage(const PlanarImage& image, int width, int height) {
  // Huge images are halved first, down to twice the target size, where the filter still reads every pixel.
  const double ratio =
      std::min(static_cast<double>(image.width()) / width, static_cast<double>(image.height()) / height);
  int level = std::max(0, static_cast<int>(std::floor(std::log2(ratio))) - 1);
  const ImagePlanes& from = image.level(level, level);
  const double shrink = 1 << level;
  // An image that is scaled down along one axis only stays larger along it, within the filter's reach.
  const int madeWidth =
      std::max(width, static_cast<int>(std::ceil(image.width() / shrink / kMaxFilterScale)));
  const int madeHeight =
      std::max(height, static_cast<int>(std::ceil(image.height() / shrink / kMaxFilterScale)));
  const bool withAlpha = !image.isOpaque();
  auto owners = std::make_shared<PlaneOwners>();
  FW_ASSIGN_OR_RETURN(ImagePlanes to, addPlanes(*owners, madeWidth, madeHeight, withAlpha));
  const Affine toImage = scaling(static_cast<double>(image.width()) / madeWidth,
                                 static_cast<double>(image.height()) / madeHeight);
  const FilterKernel kernel = withAlpha ? FilterKernel::kCatmullRom : FilterKernel::kLanczos3;
  const Affine luma = planeMapping(PlaneGroup::kLuma, toImage, image.chromaOffset(), level);
  const Affine chroma = planeMapping(PlaneGroup::kChroma, toImage, image.chromaOffset(), level);
  scalePlane(to.y, from.y, luma, kernel);
  scalePlane(to.u, from.u, chroma, kernel);
  scalePlane(to.v, from.v, chroma, kernel);
  if (withAlpha) {
    scalePlane(to.alpha, from.alpha, luma, kernel);
    scalePlane(to.chromaAlpha, from.chromaAlpha, chroma, kernel);
  }
  return std::shared_ptr<const PlanarImage>(
      std::make_shared<PlanarImage>(madeWidth, madeHeight, 0.25, to, owners));
}

}  // namespace framewright
