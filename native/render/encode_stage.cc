#include "render/encode_stage.h"

#include <utility>

#include "render/stopwatch.h"
#include "render/thread_name.h"

namespace framewright {
namespace {

constexpr size_t kQueuedFrames = 3;

}  // namespace

EncodeStage::EncodeStage(std::unique_ptr<VideoEncoder> encoder, const CancelToken& cancel)
    : encoder_(std::move(encoder)), cancel_(cancel), frames_(kQueuedFrames), thread_([this] { encode(); }) {}

EncodeStage::~EncodeStage() {
  frames_.abort();
  if (thread_.joinable()) thread_.join();
}

bool EncodeStage::push(ImagePtr frame) { return frames_.push(std::move(frame)); }

Result<int64_t> EncodeStage::finish() {
  frames_.close();
  thread_.join();
  FW_RETURN_IF_ERROR(status_);
  const Stopwatch watch(seconds_);
  return encoder_->finish();
}

void EncodeStage::encode() {
  nameThisThread("fw-encode");
  while (auto frame = frames_.pop()) {
    if (cancel_.cancelled()) {
      status_ = Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
    } else {
      const Stopwatch watch(seconds_);
      status_ = encoder_->encode(std::move(*frame));
    }
    if (!status_.ok()) {
      frames_.abort();
      return;
    }
    encoded_.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace framewright
