#include "libav/encode/audio_encoder.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <future>
#include <thread>
#include <utility>

#include "libav/encode/aac/aac_encoder.h"
#include "libav/encode/aac/sound_piece.h"
#include "libav/mux/packet_writer.h"

namespace framewright {
namespace {

// The sound is mixed by one thread, so more encoders than this would wait; each has 2 MB of sound.
constexpr unsigned kMostThreads = 4;

// Encodes the pieces of a sound side by side and joins them in their order.
class PiecewiseEncoder final : public AudioEncoder {
 public:
  explicit PiecewiseEncoder(unsigned threads) : threads_(threads) {}
  ~PiecewiseEncoder() override { stopped_ = true; }

  Status open(int bitrate, const std::string& path) {
    FW_ASSIGN_OR_RETURN(auto encoder, AacEncoder::open(bitrate));
    FW_RETURN_IF_ERROR(writer_.open(path, encoder->context()));
    filling_ = std::make_unique<SoundPiece>(bitrate, std::move(encoder), stopped_);
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
    while (!underWay_.empty()) FW_RETURN_IF_ERROR(joinOldest());
    FW_RETURN_IF_ERROR(joined_->finish(writer_));
    return writer_.finish();
  }

 private:
  struct Encoding {
    std::unique_ptr<SoundPiece> piece;
    std::future<Status> done;  // waits when it is destroyed
  };

  // A thread for what was filled.
  Status start() {
    while (underWay_.size() >= threads_) FW_RETURN_IF_ERROR(joinOldest());
    SoundPiece* const piece = filling_.get();
    underWay_.push_back({std::move(filling_), {}});
    underWay_.back().done = std::async(std::launch::async, [piece] { return piece->encode(); });
    return {};
  }

  Status joinOldest() {
    FW_RETURN_IF_ERROR(underWay_.front().done.get());
    std::unique_ptr<SoundPiece> piece = std::move(underWay_.front().piece);
    underWay_.pop_front();
    if (joined_ != nullptr) {
      FW_ASSIGN_OR_RETURN(const bool follows, joined_->handOver(*piece, writer_));
      if (!follows) return {};
    }
    joined_ = std::move(piece);
    joined_->shrink();
    return {};
  }

  const size_t threads_;
  std::atomic<bool> stopped_{false};
  PacketWriter writer_;
  std::unique_ptr<SoundPiece> filling_;
  std::deque<Encoding> underWay_;
  std::unique_ptr<SoundPiece> joined_;  // its packets are written next
};

}  // namespace

Result<std::unique_ptr<AudioEncoder>> AudioEncoder::open(int bitrate, const std::string& path,
                                                         unsigned threads) {
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads);
  auto encoder = std::make_unique<PiecewiseEncoder>(threads);
  FW_RETURN_IF_ERROR(encoder->open(bitrate, path));
  return std::unique_ptr<AudioEncoder>(std::move(encoder));
}

}  // namespace framewright
