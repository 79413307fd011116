#include "compositor/planar_image.h"

#include <algorithm>
#include <cstdlib>

#include "kernels/resample.h"

namespace framewright {
namespace {

constexpr size_t kRowAlignment = 64;

void halvePlane(const Plane& to, const Plane& from) {
  const size_t pairs = static_cast<size_t>(from.width / 2);
  for (int y = 0; y < to.height; ++y) {
    const uint8_t* top = from.data + 2 * y * from.stride;
    const uint8_t* bottom = from.data + std::min(2 * y + 1, from.height - 1) * from.stride;
    uint8_t* row = to.data + y * to.stride;
    kernels::halveRows(row, top, bottom, pairs);
    if (from.width % 2 == 1) row[pairs] = static_cast<uint8_t>((top[2 * pairs] + bottom[2 * pairs] + 1) / 2);
  }
}

}  // namespace

Result<OwnedPlane> OwnedPlane::create(int width, int height) {
  const size_t stride = (static_cast<size_t>(width) + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  void* memory = std::aligned_alloc(kRowAlignment, stride * static_cast<size_t>(height) + kRowAlignment);
  if (memory == nullptr)
    return Error{ErrorCode::OUT_OF_MEMORY, "There was not enough memory for an image.", ""};
  return OwnedPlane{{static_cast<uint8_t*>(memory), static_cast<ptrdiff_t>(stride), width, height},
                    std::shared_ptr<const void>(memory, std::free)};
}

PlanarImage::PlanarImage(int width, int height, double chromaOffset, const ImagePlanes& planes,
                         std::shared_ptr<const void> owner, ImagePtr source)
    : source_(std::move(source)), width_(width), height_(height), chromaOffset_(chromaOffset) {
  planes_[0] = planes;
  owners_[0][0] = std::move(owner);
}

const ImagePlanes& PlanarImage::level(int level, int& found) const {
  const int wanted = std::clamp(level, 0, kMaxLevels - 1);
  if (levels_.load(std::memory_order_acquire) <= wanted) {
    std::lock_guard lock(making_);
    int made = levels_.load(std::memory_order_relaxed);
    while (made <= wanted && halve(made - 1)) levels_.store(++made, std::memory_order_release);
  }
  found = std::min(wanted, levels_.load(std::memory_order_acquire) - 1);
  return planes_[static_cast<size_t>(found)];
}

bool PlanarImage::halve(int from) const {
  const ImagePlanes& large = planes_[static_cast<size_t>(from)];
  ImagePlanes& small = planes_[static_cast<size_t>(from) + 1];
  if (std::min(large.u.width, large.u.height) < 2) return false;
  const Plane* sources[] = {&large.y, &large.u, &large.v, &large.alpha, &large.chromaAlpha};
  Plane* targets[] = {&small.y, &small.u, &small.v, &small.alpha, &small.chromaAlpha};
  for (size_t i = 0; i < 5; ++i) {
    const Plane& source = *sources[i];
    if (source.data == nullptr) continue;
    auto owned = OwnedPlane::create((source.width + 1) / 2, (source.height + 1) / 2);
    if (!owned.ok()) return false;
    halvePlane(owned.value().plane, source);
    *targets[i] = owned.value().plane;
    owners_[static_cast<size_t>(from) + 1][i] = owned.value().owner;
  }
  return true;
}

std::shared_ptr<const PlanarImage> wrapImage(ImagePtr image) {
  const double chromaOffset = chromaOffsetOf(image->siting);
  const ImagePlanes planes{image->plane(0), image->plane(1), image->plane(2), {}, {}};
  const int width = image->width(), height = image->height();
  return std::make_shared<PlanarImage>(width, height, chromaOffset, planes, nullptr, std::move(image));
}

}  // namespace framewright
