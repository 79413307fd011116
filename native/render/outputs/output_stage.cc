#include "render/outputs/output_stage.h"

#include <utility>

#include "core/guarded.h"
#include "core/this_thread.h"

namespace framewright {
namespace {

// Enough to hide the variation of an encoder's frame times.
constexpr size_t kQueuedOutputFrames = 4;

}  // namespace

OutputStage::OutputStage(const OutputFile& file, const CancelToken& cancel, const CancelToken& stop)
    : file_(file), watch_{cancel, stop, steps_}, frames_(kQueuedOutputFrames), thread_([this] { run(); }) {}

OutputStage::~OutputStage() {
  frames_.abort();
  if (thread_.joinable()) thread_.join();
}

bool OutputStage::push(const ImagePtr& image, int64_t count) {
  if (image == pending_.image) {
    pending_.count += count;
    return true;
  }
  Shown shown = std::exchange(pending_, {image, count});
  return shown.image == nullptr || frames_.push(std::move(shown));
}

void OutputStage::close() {
  if (pending_.image != nullptr) frames_.push(std::exchange(pending_, {}));
  isComplete_ = true;
  frames_.close();
}

Result<OutputFileResult> OutputStage::finish() {
  if (!isComplete_) close();
  thread_.join();
  return result_;
}

void OutputStage::run() {
  nameThisThread("output");
  result_ = guarded([&] { return write(); });
  // The composing thread stops pushing frames to an output that failed.
  if (!result_.ok()) frames_.abort();
  hasEnded_.store(true, std::memory_order_release);
}

Result<OutputFileResult> OutputStage::write() {
  FW_ASSIGN_OR_RETURN(writer_, OutputWriter::open(file_, watch_));
  while (const std::optional<Shown> shown = frames_.pop()) {
    if (watch_.cancelled()) return cancelledError();
    FW_RETURN_IF_ERROR(writer_->add(shown->image, shown->count));
  }
  if (watch_.cancelled() || !isComplete_) return cancelledError();
  return writer_->finish();
}

}  // namespace framewright
