#include "libav/hardware/decode/decode_probe.h"

#include <array>
#include <cstdio>
#include <functional>
#include <utility>

#include "core/stopwatch.h"
#include "libav/codec_policy.h"
#include "libav/hardware/decode/surface_decoder.h"

namespace framewright {
namespace {

// Ratio of CPU times below which hardware decoding is a clear win despite timing noise.
constexpr double kMaxCpuRatio = 0.6;

Error mismatch(const std::string& what) { return {ErrorCode::DECODE_FAILED, what, ""}; }

// Everything that a viewer or the compositor sees of a frame.
struct FrameDigest {
  int width = 0, height = 0, format = 0, range = 0, matrix = 0, siting = 0;
  int64_t time = 0;
  std::array<uint8_t, 16> samples{};

  bool operator==(const FrameDigest&) const = default;
};

struct FreeHash {
  void operator()(AVMurMur3* hash) const { av_free(hash); }
};

class FrameHasher {
 public:
  Result<FrameDigest> digest(const AVFrame& frame) {
    if (hash_ == nullptr) return outOfMemory("hash");
    FrameDigest seen{frame.width,
                     frame.height,
                     frame.format,
                     frame.color_range,
                     frame.colorspace,
                     frame.chroma_location,
                     frame.best_effort_timestamp};
    const auto format = static_cast<AVPixelFormat>(frame.format);
    const int bits = surfaceBits(format);
    if (bits == 0) return mismatch("the video is not 4:2:0 with 8 or 10 bits");
    av_murmur3_init(hash_.get());
    for (int p = 0; p < 3; ++p) {
      const int width = p == 0 ? frame.width : (frame.width + 1) / 2;
      const int height = p == 0 ? frame.height : (frame.height + 1) / 2;
      for (int y = 0; y < height; ++y)
        av_murmur3_update(hash_.get(), frame.data[p] + y * frame.linesize[p],
                          static_cast<size_t>(width) * (bits == 8 ? 1 : 2));
    }
    av_murmur3_final(hash_.get(), seen.samples.data());
    return seen;
  }

 private:
  std::unique_ptr<AVMurMur3, FreeHash> hash_{av_murmur3_alloc()};
};

// Adds the CPU and wall time of its lifetime to a cost.
class CostTimer {
 public:
  CostTimer(DecodeCost& cost, bool counts) : cost_(cost), counts_(counts) {}
  ~CostTimer() {
    if (!counts_) return;
    cost_.cpu += secondsOf(CLOCK_THREAD_CPUTIME_ID) - cpu_;
    cost_.wall += secondsOf(CLOCK_MONOTONIC) - wall_;
  }
  CostTimer(const CostTimer&) = delete;
  CostTimer& operator=(const CostTimer&) = delete;

 private:
  DecodeCost& cost_;
  const bool counts_;
  const double cpu_ = secondsOf(CLOCK_THREAD_CPUTIME_ID), wall_ = secondsOf(CLOCK_MONOTONIC);
};

using FrameSink = std::function<Status(const AVFrame&)>;

// Decodes every frame of the head; returns the cost per frame after the first, which includes setup.
Result<DecodeCost> decode(FrameDecoder& decoder, const ClipHead& head, const FrameSink& sink,
                          const CancelToken& cancel) {
  DecodeCost cost;
  int frameCount = 0;
  FW_ASSIGN_OR_RETURN(const FramePtr frame, allocateFrame());
  for (size_t next = 0; next <= head.packets.size(); ++next) {
    int status = 0;
    {
      const CostTimer clocks(cost, frameCount > 0);
      status = decoder.send(next < head.packets.size() ? head.packets[next].get() : nullptr);
    }
    while (!decoder.fault()) {
      if (cancel.cancelled()) return cancelledError();
      {
        const CostTimer clocks(cost, frameCount > 0);
        status = decoder.receive(*frame);
      }
      if (status < 0) break;
      ++frameCount;
      FW_RETURN_IF_ERROR(sink(*frame));
      av_frame_unref(frame.get());
    }
    if (decoder.fault()) return mismatch(decoder.fault()->why);
  }
  if (frameCount < 2) return mismatch("too few frames to probe with");
  return DecodeCost{cost.cpu / (frameCount - 1), cost.wall / (frameCount - 1)};
}

Result<std::unique_ptr<FrameDecoder>> software(const ClipHead& head, int threads) {
  FW_ASSIGN_OR_RETURN(CodecContextPtr context, openDecoder(*head.stream, threads));
  return decodeInSoftware(std::move(context));
}

}  // namespace

Result<DecodeComparison> compareDecoders(const ClipHead& head,
                                         const std::shared_ptr<const DecodeDevice>& device, int threads,
                                         const CancelToken& cancel) {
  DecodeComparison comparison;
  FrameHasher hasher;
  std::vector<FrameDigest> expected;
  const auto expect = [&](const AVFrame& frame) -> Status {
    FW_ASSIGN_OR_RETURN(const FrameDigest seen, hasher.digest(frame));
    expected.push_back(seen);
    return {};
  };
  const auto compare = [&](const AVFrame& frame) -> Status {
    FW_ASSIGN_OR_RETURN(const FrameDigest seen, hasher.digest(frame));
    const auto at = static_cast<size_t>(comparison.frameCount++);
    if (at >= expected.size() || expected[at] != seen)
      return mismatch("the frames differ from those of the software decoder");
    return {};
  };
  // One thread, so that the thread's CPU time is the whole cost.
  FW_ASSIGN_OR_RETURN(auto decoder, software(head, 1));
  FW_ASSIGN_OR_RETURN(comparison.software, decode(*decoder, head, expect, cancel));
  FW_ASSIGN_OR_RETURN(decoder, decodeOnDevice(*head.stream, device));
  FW_ASSIGN_OR_RETURN(comparison.hardware, decode(*decoder, head, compare, cancel));
  if (static_cast<size_t>(comparison.frameCount) != expected.size())
    return mismatch("the device outputs too few frames");
  if (threads == 0) return DecodeComparison{comparison.frameCount, {}, {}};
  if (threads == 1) return comparison;
  // With the actual number of threads, for the waiting time.
  FW_ASSIGN_OR_RETURN(decoder, software(head, threads));
  const FrameSink drop = [](const AVFrame&) { return Status(); };
  FW_ASSIGN_OR_RETURN(const DecodeCost shared, decode(*decoder, head, drop, cancel));
  comparison.software.wall = shared.wall;
  return comparison;
}

std::string slowdownReason(const DecodeComparison& comparison) {
  const auto& [frameCount, software, hardware] = comparison;
  if (hardware.cpu < kMaxCpuRatio * software.cpu && hardware.wall <= software.wall) return "";
  char text[160];
  std::snprintf(
      text, sizeof text,
      "not worth it: a frame takes %.2f ms and %.2f ms of CPU time, in software %.2f ms and %.2f ms",
      hardware.wall * 1e3, hardware.cpu * 1e3, software.wall * 1e3, software.cpu * 1e3);
  return text;
}

}  // namespace framewright
