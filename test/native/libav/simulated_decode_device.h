#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "libav/decode/video_decoder.h"
#include "libav/hardware/decode/decode_backend.h"

// A simulated device: libav decodes on the CPU into a pool of few surfaces, and each frame is transferred as
// NV12 or P010, with simulated driver faults.
namespace framewright {
namespace {

enum class Manner {
  kWorks,
  kDoesNotOpen,
  kIsLeftOut,
  kSwapsChroma,
  kShiftsRows,
  kShowsOldFrames,
  kBreaksLater,
  kFailsInVideos,
  kRunsOut,
  kIsSlow,
};

const CancelToken never;
Manner manner = Manner::kWorks;
std::atomic<int> opened = 0, brought = 0, surfaces = 0, maxSurfaces = 0;
AVPixelFormat surfaceFormat = AV_PIX_FMT_YUV420P;
int framesLeft = 0, room = 0;
bool isRegistered = false;
int number = 0;  // part of the device name: each test uses a fresh device without cached results

void freeSurface(void*, uint8_t* data) {
  --surfaces;
  av_free(data);
}

int takeSurface(AVCodecContext* context, AVFrame* frame, int) {
  if (surfaces >= room) return AVERROR(ENOMEM);
  int width = frame->width, height = frame->height, alignment[AV_NUM_DATA_POINTERS];
  avcodec_align_dimensions2(context, &width, &height, alignment);
  const auto format = static_cast<AVPixelFormat>(frame->format);
  const int bytes = av_image_get_buffer_size(format, width, height, 64) + 64;
  auto* const data = static_cast<uint8_t*>(av_malloc(static_cast<size_t>(bytes)));
  maxSurfaces = std::max<int>(maxSurfaces, ++surfaces);
  frame->buf[0] = av_buffer_create(data, static_cast<size_t>(bytes), freeSurface, nullptr, 0);
  frame->extended_data = frame->data;
  return av_image_fill_arrays(frame->data, frame->linesize, data, format, width, height, 64) < 0
             ? AVERROR(EINVAL)
             : 0;
}

class SimulatedDevice final : public DecodeDevice {
 public:
  AVPixelFormat surface() const override {
    return manner == Manner::kIsLeftOut ? AV_PIX_FMT_VIDEOTOOLBOX : surfaceFormat;
  }

  int attach(AVCodecContext& decoder) const override {
    decoder.get_buffer2 = takeSurface;
    return 0;
  }

  int download(AVFrame& to, const AVFrame& from) const override {
    ++brought;
    const bool isProof = from.width <= 336 && from.height == 208;
    if (manner == Manner::kBreaksLater && framesLeft-- <= 0) return AVERROR_EXTERNAL;
    if (manner == Manner::kIsSlow) std::this_thread::sleep_for(std::chrono::milliseconds(4));
    const bool isDeep = from.format == AV_PIX_FMT_YUV420P10LE;
    to.format = isDeep ? AV_PIX_FMT_P010LE : AV_PIX_FMT_NV12;
    to.width = from.width;
    to.height = from.height;
    if (av_frame_get_buffer(&to, 0) < 0) return AVERROR(ENOMEM);
    const bool isWrong = manner == Manner::kFailsInVideos && !isProof;
    const int shift = manner == Manner::kShiftsRows || isWrong ? 1 : 0;
    const int first = manner == Manner::kSwapsChroma ? 2 : 1;
    isDeep ? upload<uint16_t, 6>(from, to, shift, first) : upload<uint8_t, 0>(from, to, shift, first);
    if (manner != Manner::kShowsOldFrames) return 0;
    if (last_ == nullptr) last_.reset(av_frame_clone(&to));
    FramePtr now(av_frame_clone(&to));
    av_frame_unref(&to);
    av_frame_ref(&to, last_.get());
    last_ = std::move(now);
    return 0;
  }

 private:
  // Planar samples to a surface, `rows` rows further up, with the chroma planes from `first` on.
  template <class Sample, int kShift>
  static void upload(const AVFrame& from, AVFrame& to, int rows, int first) {
    const auto row = [](const AVFrame& frame, int plane, int y) {
      return reinterpret_cast<Sample*>(frame.data[plane] + y * frame.linesize[plane]);
    };
    for (int y = 0; y < from.height; ++y) {
      const Sample* const samples = row(from, 0, std::min(y + rows, from.height - 1));
      for (int x = 0; x < from.width; ++x) row(to, 0, y)[x] = static_cast<Sample>(samples[x] << kShift);
    }
    for (int y = 0; y < (from.height + 1) / 2; ++y) {
      Sample* const pairs = row(to, 1, y);
      for (int x = 0; x < (from.width + 1) / 2; ++x) {
        pairs[2 * x] = static_cast<Sample>(row(from, first, y)[x] << kShift);
        pairs[2 * x + 1] = static_cast<Sample>(row(from, 3 - first, y)[x] << kShift);
      }
    }
  }

  mutable FramePtr last_;
};

const DecodeBackend kSimulatedBackend{
    "stand-in",
    [] {
      return isRegistered ? std::vector<std::string>{std::to_string(number)} : std::vector<std::string>();
    },
    [](const AVCodec&) { return true; },
    [](const std::string&) -> Result<std::shared_ptr<const DecodeDevice>> {
      ++opened;
      if (manner == Manner::kDoesNotOpen)
        return Error{ErrorCode::ENCODER_UNAVAILABLE, "no driver", "says a test"};
      return std::shared_ptr<const DecodeDevice>(std::make_shared<SimulatedDevice>());
    }};

// Registers the simulated device once, as a separate device for each test.
struct Card {
  explicit Card(Manner how) {
    static const bool added = (addDecodeBackend(kSimulatedBackend), true);
    isRegistered = added;
    replace(how);
  }
  ~Card() { isRegistered = false; }
  void replace(Manner how) {
    ++number;
    manner = how;
    opened = brought = maxSurfaces = 0;
    room = 32;
  }
};

}  // namespace
}  // namespace framewright
