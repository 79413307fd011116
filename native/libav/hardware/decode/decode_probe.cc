#include "libav/hardware/decode/decode_probe.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <utility>

#include "libav/codec_policy.h"
#include "libav/hardware/decode/surface_decoder.h"

namespace framewright {
namespace {

// Less than so much of the processor's time is a clear win; what else is on the host makes times vary.
constexpr double kClearWin = 0.6;

Error wrong(const std::string& what) { return {ErrorCode::DECODE_FAILED, what, ""}; }

double now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// All that is seen of a picture.
struct Likeness {
  int width = 0, height = 0, format = 0, range = 0, matrix = 0, siting = 0;
  int64_t time = 0;
  std::array<uint8_t, 16> samples{};

  bool operator==(const Likeness&) const = default;
};

struct FreeHash {
  void operator()(AVMurMur3* hash) const { av_free(hash); }
};

class Looker {
 public:
  Result<Likeness> look(const AVFrame& frame) {
    if (hash_ == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "hash", ""};
    Likeness seen{frame.width,
                  frame.height,
                  frame.format,
                  frame.color_range,
                  frame.colorspace,
                  frame.chroma_location,
                  frame.best_effort_timestamp};
    const auto format = static_cast<AVPixelFormat>(frame.format);
    if (format != AV_PIX_FMT_YUV420P && format != AV_PIX_FMT_YUVJ420P)
      return wrong("its film is not of 8 bits and 4:2:0");
    av_murmur3_init(hash_.get());
    for (int p = 0; p < 3; ++p) {
      const int width = p == 0 ? frame.width : (frame.width + 1) / 2;
      const int height = p == 0 ? frame.height : (frame.height + 1) / 2;
      for (int y = 0; y < height; ++y)
        av_murmur3_update(hash_.get(), frame.data[p] + y * frame.linesize[p], static_cast<size_t>(width));
    }
    av_murmur3_final(hash_.get(), seen.samples.data());
    return seen;
  }

 private:
  std::unique_ptr<AVMurMur3, FreeHash> hash_{av_murmur3_alloc()};
};

// Adds what its life takes, unless nothing is under way yet.
class Clocks {
 public:
  Clocks(DecodeCost& cost, bool counts) : cost_(cost), counts_(counts) {}
  ~Clocks() {
    if (!counts_) return;
    cost_.cpu += now(CLOCK_THREAD_CPUTIME_ID) - cpu_;
    cost_.wall += now(CLOCK_MONOTONIC) - wall_;
  }
  Clocks(const Clocks&) = delete;
  Clocks& operator=(const Clocks&) = delete;

 private:
  DecodeCost& cost_;
  const bool counts_;
  const double cpu_ = now(CLOCK_THREAD_CPUTIME_ID), wall_ = now(CLOCK_MONOTONIC);
};

using Take = std::function<Status(const AVFrame&)>;

// Every picture of the head in turn; the cost of one after the first, for which much is opened.
Result<DecodeCost> decode(PictureDecoder& decoder, const FilmHead& head, const Take& take,
                          const CancelToken& cancel) {
  DecodeCost cost;
  int pictures = 0;
  const FramePtr frame(av_frame_alloc());
  if (frame == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "frame", ""};
  for (size_t next = 0; next <= head.packets.size(); ++next) {
    int status = 0;
    {
      const Clocks clocks(cost, pictures > 0);
      status = decoder.send(next < head.packets.size() ? head.packets[next].get() : nullptr);
    }
    while (!decoder.doubt()) {
      if (cancel.cancelled()) return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
      {
        const Clocks clocks(cost, pictures > 0);
        status = decoder.receive(*frame);
      }
      if (status < 0) break;
      ++pictures;
      FW_RETURN_IF_ERROR(take(*frame));
      av_frame_unref(frame.get());
    }
    if (decoder.doubt()) return wrong(decoder.doubt()->why);
  }
  if (pictures < 2) return wrong("too few pictures to try it with");
  return DecodeCost{cost.cpu / (pictures - 1), cost.wall / (pictures - 1)};
}

Result<std::unique_ptr<PictureDecoder>> software(const FilmHead& head, int threads) {
  FW_ASSIGN_OR_RETURN(CodecContextPtr context, openDecoderFor(*head.stream, threads));
  return decodeInSoftware(std::move(context));
}

}  // namespace

Result<DecodeTrial> tryDecoding(const FilmHead& head, const std::shared_ptr<const DecodeDevice>& device,
                                int threads, const CancelToken& cancel) {
  DecodeTrial trial;
  Looker looker;
  std::vector<Likeness> expected;
  const auto expect = [&](const AVFrame& frame) -> Status {
    FW_ASSIGN_OR_RETURN(const Likeness seen, looker.look(frame));
    expected.push_back(seen);
    return {};
  };
  const auto compare = [&](const AVFrame& frame) -> Status {
    FW_ASSIGN_OR_RETURN(const Likeness seen, looker.look(frame));
    const auto at = static_cast<size_t>(trial.pictures++);
    if (at >= expected.size() || expected[at] != seen)
      return wrong("other pictures come than the processor decodes");
    return {};
  };
  // On one thread, whose time tells what the processor spends.
  FW_ASSIGN_OR_RETURN(auto decoder, software(head, 1));
  FW_ASSIGN_OR_RETURN(trial.software, decode(*decoder, head, expect, cancel));
  FW_ASSIGN_OR_RETURN(decoder, decodeOnDevice(*head.stream, device));
  FW_ASSIGN_OR_RETURN(trial.hardware, decode(*decoder, head, compare, cancel));
  if (static_cast<size_t>(trial.pictures) != expected.size())
    return wrong("fewer pictures come than there are");
  if (threads == 0) return DecodeTrial{trial.pictures, {}, {}};
  if (threads == 1) return trial;
  // With as many as in use, for how long one waits.
  FW_ASSIGN_OR_RETURN(decoder, software(head, threads));
  const Take drop = [](const AVFrame&) { return Status(); };
  FW_ASSIGN_OR_RETURN(const DecodeCost shared, decode(*decoder, head, drop, cancel));
  trial.software.wall = shared.wall;
  return trial;
}

std::string whyNotFaster(const DecodeTrial& trial) {
  const auto& [pictures, software, hardware] = trial;
  if (hardware.cpu < kClearWin * software.cpu && hardware.wall <= software.wall) return "";
  char words[160];
  std::snprintf(words, sizeof words,
                "not worth it: a picture takes %.2f ms and %.2f ms of the processor, without the card %.2f "
                "ms and %.2f ms",
                hardware.wall * 1e3, hardware.cpu * 1e3, software.wall * 1e3, software.cpu * 1e3);
  return words;
}

}  // namespace framewright
