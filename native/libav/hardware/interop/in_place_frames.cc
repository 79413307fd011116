#include "libav/hardware/interop/in_place_frames.h"

#include <utility>

namespace framewright {

int InPlaceFrames::maxFrames = 40;

bool InPlaceFrames::isFull() const {
  std::lock_guard lock(state_->mutex);
  return state_->count >= maxCount_;
}

Result<FramePtr> InPlaceFrames::wrap(const ImagePtr& image, AVBufferRef& pool,
                                     uint8_t* const (&planes)[2]) const {
  const DeviceMemory& memory = *image->deviceMemory();
  const size_t pitch = memory.rows(0).pitch, lumaBytes = pitch * static_cast<size_t>(image->height());
  // NVENC knows one address and one pitch.
  if (memory.rows(1).pitch != pitch || planes[1] != planes[0] + lumaBytes)
    return Error{ErrorCode::ENCODE_FAILED, "the chroma is not directly behind the luma", ""};
  FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
  frame->format = AV_PIX_FMT_CUDA;
  frame->width = image->width();
  frame->height = image->height();
  frame->hw_frames_ctx = av_buffer_ref(&pool);
  for (int p = 0; p < 2; ++p) {
    frame->data[p] = planes[p];
    frame->linesize[p] = static_cast<int>(pitch);
  }
  auto lease = std::make_unique<Lease>(Lease{state_, image});
  if (frame->hw_frames_ctx != nullptr)
    frame->buf[0] = av_buffer_create(planes[0], lumaBytes, release, lease.get(), AV_BUFFER_FLAG_READONLY);
  if (frame->buf[0] == nullptr) return outOfMemory("frame");
  lease.release();
  std::lock_guard lock(state_->mutex);
  ++state_->count;
  return frame;
}

void InPlaceFrames::release(void* opaque, uint8_t*) {
  const std::unique_ptr<Lease> lease(static_cast<Lease*>(opaque));
  ImagePtr oldest;  // its owner may lock, too
  State& state = *lease->state;
  std::lock_guard lock(state.mutex);
  state.released.push_back(std::move(lease->image));
  if (state.released.size() <= kReorderedFrames) return;
  oldest = std::move(state.released.front());
  state.released.pop_front();
  --state.count;
}

}  // namespace framewright
