#include "render/encode/encode_stage.h"

#include <utility>

#include "core/guarded.h"
#include "core/stopwatch.h"
#include "core/this_thread.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr size_t kMaxQueuedFrames = 1;

}  // namespace

EncodeStage::EncodeStage(std::unique_ptr<VideoEncoder> encoder, const CancelToken& cancel)
    : encoder_(std::move(encoder)),
      cancel_(cancel),
      frames_(kMaxQueuedFrames),
      thread_([this] { encode(); }) {}

EncodeStage::~EncodeStage() {
  frames_.abort();
  if (thread_.joinable()) thread_.join();
}

bool EncodeStage::push(VideoFrame frame) { return frames_.push(std::move(frame)); }

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
    const int64_t count = frame->frames;
    if (cancel_.cancelled()) {
      status_ = cancelledError();
    } else {
      const Stopwatch watch(seconds_);
      status_ = guarded([&] { return encoder_->encode(std::move(*frame)); });
    }
    if (!status_.ok()) {
      frames_.abort();
      return;
    }
    encoded_.fetch_add(count, std::memory_order_relaxed);
  }
}

}  // namespace framewright
