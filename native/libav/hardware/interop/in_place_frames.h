#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include "core/image.h"
#include "core/result.h"
#include "libav/av_handle.h"
#include "libav/encode/video/families.h"

namespace framewright {

// Frames for NVENC that are images in device memory, without a copy.
//
// An image may be drawn again once its last reference is released, and the encoder may read it until then.
// libav releases the Nth frame that it was sent with the Nth packet, in the order of the encoder: with
// B-frames that may be the packet of a later frame, before the Nth frame is encoded. So an image is released
// only after the encoder has released as many later frames as it reorders. Any thread releases frames.
class InPlaceFrames {
 public:
  // Maximum number of images that an encoder has at once: 40, of 2 bytes per pixel each. libav's NVENC has up
  // to 29, as many as lookahead and B-frames need, and five. Less in tests, for objects that are made
  // afterwards.
  static int maxFrames;

  explicit InPlaceFrames(int maxCount) : maxCount_(maxCount) {}

  // Whether the next frame has to be copied, because the encoder has too many images.
  bool isFull() const;
  // A frame of `pool`, an AVHWFramesContext, whose planes are at `planes` in device memory. Fails with
  // ENCODE_FAILED where NVENC cannot read the image's rows, or with OUT_OF_MEMORY.
  Result<FramePtr> wrap(const ImagePtr& image, AVBufferRef& pool, uint8_t* const (&planes)[2]) const;

 private:
  static constexpr size_t kReorderedFrames = kNvencBFrames;

  struct State {
    std::mutex mutex;
    int count = 0;                  // images that cannot be drawn again yet
    std::deque<ImagePtr> released;  // the last ones that the encoder has released
  };
  struct Lease {
    std::shared_ptr<State> state;
    ImagePtr image;
  };

  static void release(void* lease, uint8_t*);

  const int maxCount_;
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace framewright
