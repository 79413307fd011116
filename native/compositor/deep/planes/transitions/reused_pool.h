#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "compositor/plan/pixel_rect.h"
#include "core/image.h"
#include "core/result.h"

namespace framewright {

// What one frame uses, reused by the next one.
template <typename T>
struct ReusedPool {
  std::deque<T> all;
  size_t used = 0;

  T& next() {
    if (all.size() == used) all.emplace_back();
    return all[used++];
  }
};

// The next frame of working samples, which is the one of an earlier frame where nothing else holds it. Fails
// with OUT_OF_MEMORY.
inline Result<std::shared_ptr<Image>> nextImage(ReusedPool<std::shared_ptr<Image>>& pool,
                                                const CanvasSize& canvas) {
  std::shared_ptr<Image>& image = pool.next();
  const bool fits = image != nullptr && image.use_count() == 1 && image->width() == canvas.width &&
                    image->height() == canvas.height;
  if (!fits) {
    FW_ASSIGN_OR_RETURN(image, Image::create(PixelFormat::kI010, canvas.width, canvas.height));
  }
  return image;
}

}  // namespace framewright
