#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "core/bounded_queue.h"
#include "core/cancel_token.h"
#include "core/image.h"
#include "core/result.h"
#include "libav/encode/video/video_encoder.h"

namespace framewright {

// Encodes on a thread of its own while the next frames are composed. Owned by the composing thread.
class EncodeStage {
 public:
  EncodeStage(std::unique_ptr<VideoEncoder> encoder, const CancelToken& cancel);
  // Stops without finishing the file unless finish() was called.
  ~EncodeStage();

  // Blocks while the encoder is behind. False once encoding has failed or was
  // cancelled; finish() says why.
  bool push(VideoFrame picture);
  // Waits for the last frame and closes the file; its size in bytes.
  Result<int64_t> finish();

  int64_t encodedFrames() const { return encoded_.load(std::memory_order_relaxed); }
  // These only after finish().
  int64_t encodedFrameCount() const { return encoder_->encodedFrameCount(); }
  double seconds() const { return seconds_; }

 private:
  void encode();

  std::unique_ptr<VideoEncoder> encoder_;
  const CancelToken& cancel_;
  BoundedQueue<VideoFrame> pictures_;
  std::atomic<int64_t> encoded_{0};
  Status status_;  // of the thread, read after it was joined
  double seconds_ = 0;
  std::thread thread_;
};

}  // namespace framewright
