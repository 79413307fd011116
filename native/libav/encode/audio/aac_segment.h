#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/result.h"
#include "libav/encode/audio/aac_encoder.h"
#include "libav/mux/packet_writer.h"

namespace framewright {

// A segment of the audio with its encoder. Packet p of the audio contains frames p - 1 and p, and the encoder
// looks ahead to frame p + 1. Used by one thread at a time.
class AacSegment {
 public:
  // The first segment. Once `stopped` is set, encoding fails with CANCELLED; it must outlive the segment.
  AacSegment(int bitrate, std::unique_ptr<AacEncoder> encoder, const std::atomic<bool>& stopped);

  // Number of samples that still fit.
  int64_t room() const { return capacity_ - samples(); }
  void add(const float* left, const float* right, int64_t count);
  // The following segment, with the samples that both encode. Call it only when room() is 0.
  std::unique_ptr<AacSegment> next() const;
  // Marks this segment as the last.
  void end() { ended_ = true; }

  // Encodes up to the first packet of the next segment; the last segment completely.
  Status encode();
  // Writes this segment's packets up to a point where the next segment's can follow. Without such a point,
  // takes over the next segment's samples and returns false. Both segments must be encoded.
  Result<bool> joinWith(AacSegment& next, PacketWriter& writer);
  // Frees the samples that are encoded.
  void shrink();
  // Encodes and writes the rest.
  Status finish(PacketWriter& writer);

 private:
  AacSegment(int bitrate, int64_t first, const std::atomic<bool>& stopped);

  int64_t samples() const { return static_cast<int64_t>(left_.size()); }
  int64_t firstOfNext() const;
  int64_t packetsEnd() const { return packetsBegin_ + static_cast<int64_t>(packets_.size()); }
  const AVPacket& packet(int64_t index) const {
    return *packets_[static_cast<size_t>(index - packetsBegin_)];
  }
  Status encodeTo(int64_t packet);
  Status encodeFrame();
  Status writeTo(int64_t packet, PacketWriter& writer);
  void absorb(AacSegment& next);

  const int bitrate_;
  const int64_t first_;  // index of its first packet
  const std::atomic<bool>& stopped_;
  std::unique_ptr<AacEncoder> encoder_;
  std::vector<float> left_, right_;
  int64_t begin_;     // index of the first frame in left_ and right_
  int64_t capacity_;  // samples
  int64_t fed_;       // index of the next frame to encode
  std::deque<PacketPtr> packets_;
  int64_t packetsBegin_;  // index of the first of packets_
  bool ended_ = false, drained_ = false;
};

}  // namespace framewright
