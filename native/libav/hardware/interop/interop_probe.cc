#include "libav/hardware/interop/interop_probe.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "libav/av_error.h"
#include "libav/encode/video/open_encoder.h"

namespace framewright {
namespace {

constexpr int kFrames = 3;           // distinct test frames
constexpr int kRounds = 5;           // rounds over two device frames, so that each is reused
constexpr double kProbeCrf = 12;     // keeps the test frames recognisable with any encoder
constexpr double kMaxMeanError = 6;  // mean error in levels that encoding may cause in a channel

Error mismatch(const std::string& what) { return {ErrorCode::ENCODE_FAILED, what, ""}; }

// Gradients that differ by channel and frame, with steps of a few pixels: misplaced rows or channels, or
// another frame, are many levels off.
uint8_t sampleOf(int channel, int x, int y, int number) {
  const int step = ((x / 16 + y / 8 * 3 + channel + number) % 4) * 30;
  return static_cast<uint8_t>(40 + 30 * channel + step + (x * (channel + 1) + y * 2 + 37 * number) / 16 % 24);
}

Result<std::shared_ptr<Image>> testFrame(int width, int height, int number) {
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image, Image::create(PixelFormat::kNv12, width, height));
  for (int p = 0; p < 2; ++p) {
    const Plane& plane = image->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      uint8_t* const row = plane.data + y * plane.stride;
      for (int x = 0; x < plane.width * (p + 1); ++x)
        row[x] = p == 0 ? sampleOf(0, x, y, number) : sampleOf(1 + x % 2, x / 2, y, number);
    }
  }
  return image;
}

bool isSame(const Image& expected, const AVFrame& frame) {
  for (int p = 0; p < 2; ++p) {
    const Plane& plane = expected.plane(p);
    for (int y = 0; y < plane.height; ++y) {
      const uint8_t* const row = plane.data + y * plane.stride;
      if (!std::equal(row, row + plane.width * (p + 1), frame.data[p] + y * frame.linesize[p])) return false;
    }
  }
  return true;
}

// The mean absolute error of the worst channel. `frame` is NV12 or planar.
double distance(const Image& expected, const AVFrame& frame) {
  double worst = 0;
  for (int channel = 0; channel < 3; ++channel) {
    const Plane& plane = expected.plane(std::min(channel, 1));
    const bool inPairs = frame.format == AV_PIX_FMT_NV12 && channel > 0;
    const int at = inPairs ? 1 : channel, step = inPairs ? 2 : 1, offset = inPairs ? channel - 1 : 0;
    const int ownStep = channel == 0 ? 1 : 2, ownOffset = channel == 2 ? 1 : 0;
    double sum = 0;
    for (int y = 0; y < plane.height; ++y) {
      const uint8_t* const own = plane.data + y * plane.stride + ownOffset;
      const uint8_t* const other = frame.data[at] + y * frame.linesize[at] + offset;
      for (int x = 0; x < plane.width; ++x) sum += std::abs(own[x * ownStep] - other[x * step]);
    }
    worst = std::max(worst, sum / (static_cast<double>(plane.width) * plane.height));
  }
  return worst;
}

class InteropProbe {
 public:
  InteropProbe(const VideoEncoderSettings& settings, const FrameSource& source)
      : settings_(settings), source_(source) {}

  Status open(const InteropBackend& backend) {
    place_ = backend.place;
    for (auto& frame : frames_) {
      FW_ASSIGN_OR_RETURN(frame, source_.createFrame(backend.place, settings_.width, settings_.height));
    }
    for (auto& frame : expected_) {
      FW_ASSIGN_OR_RETURN(frame,
                          testFrame(settings_.width, settings_.height, static_cast<int>(&frame - expected_)));
    }
    FW_ASSIGN_OR_RETURN(interop_, backend.open(source_.device, settings_.width, settings_.height));
    return {};
  }

  // Compares every sample, read back from where the encoder would read it.
  Status checkReadback() {
    for (int round = 0; round < kRounds; ++round) {
      FW_ASSIGN_OR_RETURN(const FramePtr sent, transfer(round));
      FW_RETURN_IF_ERROR(checkSamples(*sent, *expected_[round % kFrames]));
    }
    return {};
  }

  // Writes and reads a frame in turn without waiting: each read gets the samples of the write before it, and
  // no write overtakes a read. Frames that are read in place have memory of their own.
  Status checkOrder() {
    if (frames_[0]->deviceMemory()->timeline() == nullptr) return {};
    FramePtr sent[kFrames];
    for (int i = 0; i < kFrames; ++i) {
      std::shared_ptr<Image> frame = frames_[0];
      if (interop_->isInPlace()) {
        FW_ASSIGN_OR_RETURN(frame, source_.createFrame(place_, settings_.width, settings_.height));
      }
      FW_RETURN_IF_ERROR(frame->deviceMemory()->fill(*expected_[i]));
      FW_ASSIGN_OR_RETURN(sent[i], interop_->frame(frame));
    }
    for (int i = 0; i < kFrames; ++i) FW_RETURN_IF_ERROR(checkSamples(*sent[i], *expected_[i]));
    return {};
  }

  // Encodes the test frames and checks the decoded result.
  Status encode(const EncoderFamily& family) {
    VideoEncoderSettings settings = settings_;
    settings.crf = std::min(settings_.crf, kProbeCrf);
    settings.interop = interop_;
    OpenResult outcome = openEncoder(family, settings);
    if (!outcome.opened) return outcome.refusal.error;
    AVCodecContext& encoder = *outcome.opened->context;
    FW_ASSIGN_OR_RETURN(const CodecContextPtr decoder, decoderFor(encoder));
    for (int round = 0; round < kRounds; ++round) {
      // The encoder may still read earlier frames, so each round uses a new one.
      auto frame = source_.createFrame(place_, settings.width, settings.height);
      if (!frame.ok()) return frame.error();
      FW_RETURN_IF_ERROR(frame.value()->deviceMemory()->fill(*expected_[round % kFrames]));
      FW_ASSIGN_OR_RETURN(const FramePtr sent, outcome.opened->input.frame(frame.take(), round));
      FW_RETURN_IF_ERROR(pump(encoder, *decoder, sent.get()));
    }
    FW_RETURN_IF_ERROR(pump(encoder, *decoder, nullptr));
    if (checkedCount_ == kRounds) return {};
    return mismatch("only " + std::to_string(checkedCount_) + " of " + std::to_string(kRounds) +
                    " frames are encoded");
  }

 private:
  Status checkSamples(const AVFrame& sent, const Image& expected) const {
    FW_ASSIGN_OR_RETURN(const FramePtr back, allocateFrame());
    back->format = AV_PIX_FMT_NV12;
    const bool isOnDevice = interop_->pool() != nullptr;
    const int status = isOnDevice ? av_hwframe_transfer_data(back.get(), &sent, 0) : 0;
    if (status < 0) return mismatch("its frames cannot be read back (" + avText(status) + ")");
    if (!isSame(expected, isOnDevice ? *back : sent)) return mismatch("the samples differ from those sent");
    return {};
  }

  Result<FramePtr> transfer(int round) {
    const std::shared_ptr<Image>& frame = frames_[round % 2];
    FW_RETURN_IF_ERROR(frame->deviceMemory()->fill(*expected_[round % kFrames]));
    return interop_->frame(frame);
  }

  static Result<CodecContextPtr> decoderFor(const AVCodecContext& encoder) {
    const AVCodec* const codec = avcodec_find_decoder(encoder.codec_id);
    CodecContextPtr decoder(codec == nullptr ? nullptr : avcodec_alloc_context3(codec));
    const CodecParametersPtr parameters(avcodec_parameters_alloc());
    if (decoder == nullptr || parameters == nullptr) return mismatch("there is no decoder to check it with");
    decoder->thread_count = 1;
    int status = avcodec_parameters_from_context(parameters.get(), &encoder);
    parameters->format = AV_PIX_FMT_NONE;
    if (status >= 0) status = avcodec_parameters_to_context(decoder.get(), parameters.get());
    if (status >= 0) status = avcodec_open2(decoder.get(), codec, nullptr);
    if (status < 0) return mismatch("there is no decoder to check it with (" + avText(status) + ")");
    return decoder;
  }

  // A null frame drains the encoder.
  Status pump(AVCodecContext& encoder, AVCodecContext& decoder, const AVFrame* frame) {
    FW_ASSIGN_OR_RETURN(const PacketPtr packet, allocatePacket());
    int status = avcodec_send_frame(&encoder, frame);
    while (status >= 0 && (status = avcodec_receive_packet(&encoder, packet.get())) >= 0) {
      status = avcodec_send_packet(&decoder, packet.get());
      av_packet_unref(packet.get());
      if (status >= 0) FW_RETURN_IF_ERROR(checkDecoded(decoder));
    }
    if (frame == nullptr && status == AVERROR_EOF) {
      avcodec_send_packet(&decoder, nullptr);
      return checkDecoded(decoder);
    }
    if (status >= 0 || status == AVERROR(EAGAIN)) return {};
    return mismatch("the encoder rejects its frames (" + avText(status) + ")");
  }

  Status checkDecoded(AVCodecContext& decoder) {
    FW_ASSIGN_OR_RETURN(const FramePtr frame, allocateFrame());
    while (avcodec_receive_frame(&decoder, frame.get()) >= 0) {
      const bool isKnown = frame->format == AV_PIX_FMT_YUV420P || frame->format == AV_PIX_FMT_NV12;
      if (!isKnown || frame->width != settings_.width || frame->height != settings_.height ||
          distance(*expected_[checkedCount_ % kFrames], *frame) > kMaxMeanError)
        return mismatch("the encoded frames differ from those sent");
      ++checkedCount_;
    }
    return {};
  }

  const VideoEncoderSettings& settings_;
  const FrameSource& source_;
  FramePlace place_ = FramePlace::kHost;
  std::shared_ptr<Image> frames_[2];
  std::shared_ptr<Image> expected_[kFrames];
  std::shared_ptr<FrameInterop> interop_;
  int checkedCount_ = 0;
};

}  // namespace

Status probeInterop(const InteropBackend& backend, const EncoderFamily& family,
                    const VideoEncoderSettings& settings, const FrameSource& source) {
  InteropProbe probe(settings, source);
  FW_RETURN_IF_ERROR(probe.open(backend));
  FW_RETURN_IF_ERROR(probe.checkReadback());
  FW_RETURN_IF_ERROR(probe.checkOrder());
  return probe.encode(family);
}

}  // namespace framewright
