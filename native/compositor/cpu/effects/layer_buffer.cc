#include "compositor/cpu/effects/layer_buffer.h"

#include <cstdlib>
#include <cstring>

namespace framewright {
namespace {

constexpr size_t kRowAlignment = 64;

size_t strideOf(int width) {
  return (static_cast<size_t>(width) + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

}  // namespace

Status LayerBuffer::begin(int x, int y, int width, int height, bool isDithered) {
  const int chromaWidth = width / 2, chromaHeight = height / 2;
  const size_t luma = strideOf(width) * static_cast<size_t>(height);
  const size_t chroma = strideOf(chromaWidth) * static_cast<size_t>(chromaHeight);
  const size_t used = 2 * luma + 3 * chroma;
  // Kernels read up to one vector beyond the last sample.
  if (used + kRowAlignment > capacity_) {
    capacity_ = 0;
    memory_.reset(static_cast<uint8_t*>(std::aligned_alloc(kRowAlignment, used + kRowAlignment)), std::free);
    if (memory_ == nullptr) {
      return Error{ErrorCode::OUT_OF_MEMORY, "There was not enough memory for a layer with effects.", ""};
    }
    capacity_ = used + kRowAlignment;
  }
  std::memset(memory_.get(), 0, used + kRowAlignment);
  x_ = x;
  y_ = y;
  uint8_t* next = memory_.get();
  const auto take = [&](size_t bytes, int planeWidth, int planeHeight) {
    const Plane plane{next, static_cast<ptrdiff_t>(strideOf(planeWidth)), planeWidth, planeHeight};
    next += bytes;
    return plane;
  };
  surface_.isDithered = isDithered;
  surface_.width = width;
  surface_.height = height;
  surface_.planes.y = take(luma, width, height);
  surface_.planes.alpha = take(luma, width, height);
  for (Plane* plane : {&surface_.planes.u, &surface_.planes.v, &surface_.planes.chromaAlpha}) {
    *plane = take(chroma, chromaWidth, chromaHeight);
  }
  return {};
}

void LayerBuffer::beginInFrame(const Surface& frame, const PixelRect& part, const PixelRect& area) {
  x_ = part.left;
  y_ = part.top;
  surface_ = {part.width(), part.height(), {}, frame.isDithered, part.left - area.left, part.top - area.top};
  const auto within = [&](const Plane& plane, int shift) {
    return Plane{plane.data + (part.top >> shift) * plane.stride + (part.left >> shift), plane.stride,
                 part.width() >> shift, part.height() >> shift};
  };
  surface_.planes = {within(frame.planes.y, 0), within(frame.planes.u, 1), within(frame.planes.v, 1), {}, {}};
}

}  // namespace framewright
