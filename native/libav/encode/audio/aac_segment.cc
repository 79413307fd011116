#include "libav/encode/audio/aac_segment.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/cancel_token.h"

namespace framewright {
namespace {

constexpr int64_t kSegmentFrames = 256;  // 5.5 s
// Packets encoded before a segment and discarded. The first is half silence; rate control and masking settle
// within the others.
constexpr int64_t kWarmUp = 7;
constexpr int64_t kMaxJointDelay = 16;  // packets by which a joint may move back

// Window sequence and shape of both channels (ISO 14496-3, 4.4.2.1: channel_pair_element and ics_info); none
// when the channels have separate windows.
std::optional<int> windowsOf(const AVPacket& packet) {
  constexpr int kChannelPair = 1;
  if (packet.size < 2 || packet.data[0] >> 5 != kChannelPair) return std::nullopt;
  const bool common = (packet.data[0] & 1) != 0;
  return common ? std::optional(packet.data[1] >> 4 & 7) : std::nullopt;
}

}  // namespace

AacSegment::AacSegment(int bitrate, int64_t first, const std::atomic<bool>& stopped)
    : bitrate_(bitrate),
      first_(first),
      stopped_(stopped),
      begin_(std::max<int64_t>(0, first - kWarmUp)),
      capacity_((firstOfNext() + kMaxJointDelay + 1 - begin_) * kAacFrame),
      fed_(begin_),
      packetsBegin_(begin_) {
  left_.reserve(static_cast<size_t>(capacity_));
  right_.reserve(static_cast<size_t>(capacity_));
}

AacSegment::AacSegment(int bitrate, std::unique_ptr<AacEncoder> encoder, const std::atomic<bool>& stopped)
    : AacSegment(bitrate, 0, stopped) {
  encoder_ = std::move(encoder);
}

int64_t AacSegment::firstOfNext() const { return first_ + kSegmentFrames; }

void AacSegment::add(const float* left, const float* right, int64_t count) {
  left_.insert(left_.end(), left, left + count);
  right_.insert(right_.end(), right, right + count);
}

std::unique_ptr<AacSegment> AacSegment::next() const {
  std::unique_ptr<AacSegment> segment(new AacSegment(bitrate_, firstOfNext(), stopped_));
  const int64_t from = (segment->begin_ - begin_) * kAacFrame;
  segment->add(left_.data() + from, right_.data() + from, samples() - from);
  return segment;
}

Status AacSegment::encode() {
  if (encoder_ == nullptr) {
    FW_ASSIGN_OR_RETURN(encoder_, AacEncoder::open(bitrate_));
  }
  const int64_t end = ended_ ? INT64_MAX : firstOfNext();
  encoder_->allowOversizedPackets(true);
  FW_RETURN_IF_ERROR(encodeTo(end));
  encoder_->allowOversizedPackets(false);
  const auto tooLarge = [](const PacketPtr& packet) { return packet->size > kMaxPacketBytes; };
  if (std::none_of(packets_.begin(), packets_.end(), tooLarge)) return {};
  FW_ASSIGN_OR_RETURN(encoder_, AacEncoder::open(bitrate_));
  packets_.clear();
  fed_ = begin_;
  drained_ = false;
  return encodeTo(end);
}

Status AacSegment::encodeTo(int64_t packet) {
  while (packetsEnd() < packet && !drained_) {
    if (stopped_) return cancelledError();
    FW_RETURN_IF_ERROR(encodeFrame());
  }
  return {};
}

Status AacSegment::encodeFrame() {
  const int64_t at = (fed_ - begin_) * kAacFrame;
  const int64_t count = std::min<int64_t>(kAacFrame, samples() - at);
  if (count > 0) {
    ++fed_;
    return encoder_->encode(left_.data() + at, right_.data() + at, static_cast<int>(count),
                            (fed_ - 1) * kAacFrame, packets_);
  }
  if (!ended_) return Error{ErrorCode::UNEXPECTED, "the audio encoder has no more input", ""};
  drained_ = true;
  return encoder_->drain(packets_);
}

Result<bool> AacSegment::joinWith(AacSegment& next, PacketWriter& writer) {
  for (int64_t joint = next.first_; joint <= next.first_ + kMaxJointDelay; ++joint) {
    FW_RETURN_IF_ERROR(encodeTo(joint));
    if (packetsEnd() < joint || next.packetsEnd() < joint) break;
    const std::optional<int> windows = windowsOf(packet(joint - 1));
    if (!windows || windows != windowsOf(next.packet(joint - 1))) continue;
    FW_RETURN_IF_ERROR(writeTo(joint, writer));
    while (next.packetsBegin_ < joint) {
      next.packets_.pop_front();
      ++next.packetsBegin_;
    }
    return true;
  }
  FW_RETURN_IF_ERROR(writeTo(packetsEnd() - 1, writer));
  absorb(next);
  return false;
}

void AacSegment::absorb(AacSegment& next) {
  left_ = std::move(next.left_);
  right_ = std::move(next.right_);
  begin_ = next.begin_;
  ended_ = next.ended_;
}

void AacSegment::shrink() {
  const int64_t done = std::min(samples(), (fed_ - begin_) * kAacFrame);
  left_ = std::vector<float>(left_.begin() + done, left_.end());
  right_ = std::vector<float>(right_.begin() + done, right_.end());
  begin_ = fed_;
}

Status AacSegment::finish(PacketWriter& writer) {
  FW_RETURN_IF_ERROR(encodeTo(INT64_MAX));
  return writeTo(packetsEnd(), writer);
}

Status AacSegment::writeTo(int64_t packet, PacketWriter& writer) {
  while (packetsBegin_ < packet) {
    FW_RETURN_IF_ERROR(writer.write(*packets_.front()));
    packets_.pop_front();
    ++packetsBegin_;
  }
  return {};
}

}  // namespace framewright
