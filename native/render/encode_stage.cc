#include "render/encode_stage.h"

#include <utility>

#include "core/stopwatch.h"
#include "core/this_thread.h"

namespace framewright {
namespace {

constexpr size_t kQueuedPictures = 1;

}  // namespace

EncodeStage::EncodeStage(std::unique_ptr<VideoEncoder> encoder, const CancelToken& cancel)
    : encoder_(std::move(encoder)),
      cancel_(cancel),
      pictures_(kQueuedPictures),
      thread_([this] { encode(); }) {}

EncodeStage::~EncodeStage() {
  pictures_.abort();
  if (thread_.joinable()) thread_.join();
}

bool EncodeStage::push(VideoFrame picture) { return pictures_.push(std::move(picture)); }

Result<int64_t> EncodeStage::finish() {
  pictures_.close();
  thread_.join();
  FW_RETURN_IF_ERROR(status_);
  const Stopwatch watch(seconds_);
  return encoder_->finish();
}

void EncodeStage::encode() {
  nameThisThread("fw-encode");
  while (auto picture = pictures_.pop()) {
    const int64_t frames = picture->frames;
    if (cancel_.cancelled()) {
      status_ = Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
    } else {
      const Stopwatch watch(seconds_);
      status_ = encoder_->encode(std::move(*picture));
    }
    if (!status_.ok()) {
      pictures_.abort();
      return;
    }
    encoded_.fetch_add(frames, std::memory_order_relaxed);
  }
}

}  // namespace framewright
