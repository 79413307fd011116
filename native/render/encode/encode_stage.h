#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "core/bounded_queue.h"
#include "core/cancel_token.h"
#include "core/result.h"
#include "libav/encode/video/video_encoder.h"

namespace framewright {

// Runs a video encoder on its own thread while the next frames are composed. Owned by the composing thread.
class EncodeStage {
 public:
  EncodeStage(std::unique_ptr<VideoEncoder> encoder, const CancelToken& cancel);
  // Without finish() the file stays incomplete, and the encoder removes it.
  ~EncodeStage();

  // Blocks while the encoder is behind. False after a failure or cancellation, which finish() returns.
  bool push(VideoFrame frame);
  // Waits for the last frame and closes the file. Returns its size in bytes.
  Result<int64_t> finish();

  int64_t encodedFrames() const { return encoded_.load(std::memory_order_relaxed); }
  // Frames that went through the encoder instead of repeating one. Only after finish().
  int64_t encodedFrameCount() const { return encoder_->encodedFrameCount(); }
  // Thread time spent in the encoder. Only after finish().
  double seconds() const { return seconds_; }

 private:
  void encode();

  std::unique_ptr<VideoEncoder> encoder_;
  const CancelToken& cancel_;
  BoundedQueue<VideoFrame> frames_;
  std::atomic<int64_t> encoded_{0};
  Status status_;  // written by the thread, read after joining it
  double seconds_ = 0;
  std::thread thread_;
};

}  // namespace framewright
