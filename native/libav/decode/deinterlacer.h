#pragma once

#include <cstdint>
#include <memory>

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// A decoded frame with shared ownership. Frames are not changed after decoding.
using SharedFrame = std::shared_ptr<const AVFrame>;

// One field of an interlaced frame, between its neighbours in time.
struct Field {
  SharedFrame previous, frame, next;  // previous and next: null at the ends of the video
  bool isSecond = false;
  bool isTopFirst = true;

  bool isTop() const { return isSecond != isTopFirst; }
};

// Whether the frame consists of two fields that deinterlaceField() can process: planar samples of 8 to 16 bit.
bool canDeinterlace(const AVFrame& frame);

// The field as a progressive frame of full height: its rows are copied, the others interpolated as by the bwdif
// filter. Neighbours of another size or layout are ignored. Fails with OUT_OF_MEMORY.
Result<FramePtr> deinterlaceField(const Field& field);

}  // namespace framewright
