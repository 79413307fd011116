#include "libav/encode/audio/audio_encoder.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <future>
#include <thread>
#include <utility>

#include "libav/encode/audio/aac_encoder.h"
#include "libav/encode/audio/aac_segment.h"
#include "libav/mux/packet_writer.h"

namespace framewright {
namespace {

// One thread mixes the audio, so more encoders would wait; each holds 2 MB of samples.
constexpr unsigned kMaxThreads = 4;

// Encodes segments of the audio in parallel and joins them in order.
class SegmentedAudioEncoder final : public AudioEncoder {
 public:
  explicit SegmentedAudioEncoder(unsigned threads) : threads_(threads) {}
  ~SegmentedAudioEncoder() override { stopped_ = true; }

  Status open(int bitrate, const std::string& path) {
    FW_ASSIGN_OR_RETURN(auto encoder, AacEncoder::open(bitrate));
    FW_RETURN_IF_ERROR(writer_.open(path, encoder->context()));
    filling_ = std::make_unique<AacSegment>(bitrate, std::move(encoder), stopped_);
    return {};
  }

  Status encode(const float* left, const float* right, int64_t count) override {
    while (count > 0) {
      const int64_t part = std::min(count, filling_->room());
      filling_->add(left, right, part);
      left += part;
      right += part;
      count -= part;
      if (filling_->room() > 0) continue;
      auto next = filling_->next();
      FW_RETURN_IF_ERROR(start());
      filling_ = std::move(next);
    }
    return {};
  }

  Result<int64_t> finish() override {
    filling_->end();
    FW_RETURN_IF_ERROR(start());
    while (!running_.empty()) FW_RETURN_IF_ERROR(joinOldest());
    FW_RETURN_IF_ERROR(joined_->finish(writer_));
    return writer_.finish();
  }

 private:
  struct Encoding {
    std::unique_ptr<AacSegment> segment;
    std::future<Status> done;  // waits when it is destroyed
  };

  // Starts a thread for the filled segment.
  Status start() {
    while (running_.size() >= threads_) FW_RETURN_IF_ERROR(joinOldest());
    AacSegment* const segment = filling_.get();
    running_.push_back({std::move(filling_), {}});
    running_.back().done = std::async(std::launch::async, [segment] { return segment->encode(); });
    return {};
  }

  Status joinOldest() {
    FW_RETURN_IF_ERROR(running_.front().done.get());
    std::unique_ptr<AacSegment> segment = std::move(running_.front().segment);
    running_.pop_front();
    if (joined_ != nullptr) {
      FW_ASSIGN_OR_RETURN(const bool follows, joined_->joinWith(*segment, writer_));
      if (!follows) return {};
    }
    joined_ = std::move(segment);
    joined_->shrink();
    return {};
  }

  const size_t threads_;
  std::atomic<bool> stopped_{false};
  PacketWriter writer_;
  std::unique_ptr<AacSegment> filling_;
  std::deque<Encoding> running_;
  std::unique_ptr<AacSegment> joined_;  // its packets are written next
};

}  // namespace

Result<std::unique_ptr<AudioEncoder>> AudioEncoder::open(int bitrate, const std::string& path,
                                                         unsigned threads) {
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads);
  auto encoder = std::make_unique<SegmentedAudioEncoder>(threads);
  FW_RETURN_IF_ERROR(encoder->open(bitrate, path));
  return std::unique_ptr<AudioEncoder>(std::move(encoder));
}

}  // namespace framewright
