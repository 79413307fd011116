#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "core/bounded_queue.h"
#include "core/cancel_token.h"
#include "core/image.h"
#include "libav/outputs/output_writer.h"

namespace framewright {

// Writes one output on a thread of its own. Owned by the composing thread.
class OutputStage {
 public:
  // `cancel` and `stop`, the tokens of WriteWatch, must outlive the stage.
  OutputStage(const OutputFile& file, const CancelToken& cancel, const CancelToken& stop);
  // Without publish() the output's file is removed.
  ~OutputStage();
  OutputStage(const OutputStage&) = delete;
  OutputStage& operator=(const OutputStage&) = delete;

  const OutputFile& file() const { return file_; }
  // Shows the image for `count` frames of the file; blocks while the writer is behind. False after a failure,
  // which finish() returns.
  bool push(const ImagePtr& image, int64_t count);
  // Grows while the writer works. Any thread.
  int64_t steps() const { return steps_.load(std::memory_order_relaxed); }
  // Whether finish() would not wait, and whether it would then return an error. Any thread.
  bool hasEnded() const { return hasEnded_.load(std::memory_order_acquire); }
  bool hasFailed() const { return hasEnded() && !result_.ok(); }
  // No frames follow: the writer completes the file while others do.
  void close();
  // Closes the stage and waits for the complete file, which publish() then gives its name. `bytes` of the
  // result is unset.
  Result<OutputFileResult> finish();
  // See OutputWriter::publish(); after finish() succeeded.
  Result<int64_t> publish() { return writer_->publish(); }

 private:
  struct Shown {
    ImagePtr image;
    int64_t count = 0;
  };
  void run();
  Result<OutputFileResult> write();

  const OutputFile file_;
  std::atomic<int64_t> steps_{0};
  const WriteWatch watch_;
  Shown pending_;  // not pushed yet, because the next frame may be equal
  BoundedQueue<Shown> frames_;
  std::atomic<bool> hasEnded_{false};
  std::unique_ptr<OutputWriter> writer_;      // of the thread until it is joined
  bool isComplete_ = false;                   // set before the queue is closed
  Result<OutputFileResult> result_{Error{}};  // written by the thread, read after joining it
  std::thread thread_;
};

}  // namespace framewright
