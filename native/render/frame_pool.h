#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "compositor/compositor.h"

namespace framewright {

// Reuses a compositor's canvas frames once the encoder has released them. Any thread may release a frame,
// also after the pool is gone.
class FramePool {
 public:
  // `wanted`: see Compositor::createFrame(). A `place` other than kHost uses Compositor::createDeviceFrame().
  FramePool(Compositor& compositor, PixelFormat wanted, FramePlace place, int width, int height)
      : compositor_(compositor), wanted_(wanted), place_(place), width_(width), height_(height) {}

  // A frame with undefined contents.
  Result<std::shared_ptr<Image>> acquire() {
    std::shared_ptr<Image> image;
    {
      std::lock_guard lock(free_->mutex);
      if (!free_->images.empty()) {
        image = std::move(free_->images.back());
        free_->images.pop_back();
      }
    }
    if (image == nullptr) {
      FW_ASSIGN_OR_RETURN(image, place_ == FramePlace::kHost
                                     ? compositor_.createFrame(wanted_, width_, height_)
                                     : compositor_.createDeviceFrame(place_, width_, height_));
    }
    Image* frame = image.get();
    return std::shared_ptr<Image>(frame, [free = free_, image = std::move(image)](Image*) mutable {
      std::lock_guard lock(free->mutex);
      free->images.push_back(std::move(image));
    });
  }

 private:
  struct Free {
    std::mutex mutex;
    std::vector<std::shared_ptr<Image>> images;
  };
  Compositor& compositor_;
  const PixelFormat wanted_;
  const FramePlace place_;
  const int width_, height_;
  std::shared_ptr<Free> free_ = std::make_shared<Free>();
};

}  // namespace framewright
