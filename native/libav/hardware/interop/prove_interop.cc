#include "libav/hardware/interop/prove_interop.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "libav/av_error.h"
#include "libav/encode/video/open_encoder.h"

namespace framewright {
namespace {

constexpr int kPictures = 3;         // that are told apart
constexpr int kRounds = 5;           // over two frames, so that each is used again
constexpr double kFineQuality = 12;  // at which any encoder keeps them
constexpr double kMostApart = 6;     // levels that a channel may lose by encoding, in the mean

Error wrong(const std::string& what) { return {ErrorCode::ENCODE_FAILED, what, ""}; }

// Slopes that differ by channel and picture, over steps of a few pixels: rows or channels that stand
// elsewhere, or come from another picture, are many levels off.
uint8_t sampleOf(int channel, int x, int y, int number) {
  const int step = ((x / 16 + y / 8 * 3 + channel + number) % 4) * 30;
  return static_cast<uint8_t>(40 + 30 * channel + step + (x * (channel + 1) + y * 2 + 37 * number) / 16 % 24);
}

Result<std::shared_ptr<Image>> pictureOf(int width, int height, int number) {
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

// The mean distance of the channel that is farthest apart. `frame` is NV12 or planar.
double distance(const Image& expected, const AVFrame& frame) {
  double most = 0;
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
    most = std::max(most, sum / (static_cast<double>(plane.width) * plane.height));
  }
  return most;
}

class Trial {
 public:
  Trial(const VideoEncoderSettings& settings, const FrameSource& source)
      : settings_(settings), source_(source) {}

  Status open(const HandoverWay& way) {
    place_ = way.place;
    for (auto& frame : frames_) {
      FW_ASSIGN_OR_RETURN(frame, source_.createFrame(way.place, settings_.width, settings_.height));
    }
    for (auto& picture : pictures_) {
      FW_ASSIGN_OR_RETURN(
          picture, pictureOf(settings_.width, settings_.height, static_cast<int>(&picture - pictures_)));
    }
    FW_ASSIGN_OR_RETURN(handover_, way.open(source_.device, settings_.width, settings_.height));
    return {};
  }

  // Every sample, brought back from where the encoder would read it.
  Status readBack() {
    for (int round = 0; round < kRounds; ++round) {
      FW_ASSIGN_OR_RETURN(const FramePtr handed, hand(round));
      const FramePtr back(av_frame_alloc());
      if (back == nullptr) return wrong("no memory for a frame");
      back->format = AV_PIX_FMT_NV12;
      const bool isOnDevice = handover_->pool() != nullptr;
      const int status = isOnDevice ? av_hwframe_transfer_data(back.get(), handed.get(), 0) : 0;
      if (status < 0) return wrong("its frames cannot be read back (" + avText(status) + ")");
      if (!isSame(*pictures_[round % kPictures], isOnDevice ? *back : *handed))
        return wrong("other samples arrive than were sent");
    }
    return {};
  }

  // What the encoder makes of them.
  Status encode(const EncoderFamily& family) {
    VideoEncoderSettings settings = settings_;
    settings.crf = std::min(settings_.crf, kFineQuality);
    settings.handover = handover_;
    OpeningOutcome outcome = openEncoder(family, settings);
    if (!outcome.opened) return outcome.refusal.error;
    AVCodecContext& encoder = *outcome.opened->context;
    FW_ASSIGN_OR_RETURN(const CodecContextPtr decoder, decoderFor(encoder));
    for (int round = 0; round < kRounds; ++round) {
      // Frames that the encoder still reads are not drawn over.
      auto frame = source_.createFrame(place_, settings.width, settings.height);
      if (!frame.ok()) return frame.error();
      FW_RETURN_IF_ERROR(frame.value()->deviceMemory()->fill(*pictures_[round % kPictures]));
      FW_ASSIGN_OR_RETURN(const FramePtr sent, outcome.opened->input.frame(frame.take(), round));
      FW_RETURN_IF_ERROR(pump(encoder, *decoder, sent.get()));
    }
    FW_RETURN_IF_ERROR(pump(encoder, *decoder, nullptr));
    if (seen_ == kRounds) return {};
    return wrong("of " + std::to_string(kRounds) + " pictures " + std::to_string(seen_) + " are encoded");
  }

 private:
  Result<FramePtr> hand(int round) {
    const std::shared_ptr<Image>& frame = frames_[round % 2];
    FW_RETURN_IF_ERROR(frame->deviceMemory()->fill(*pictures_[round % kPictures]));
    return handover_->frame(frame);
  }

  static Result<CodecContextPtr> decoderFor(const AVCodecContext& encoder) {
    const AVCodec* const codec = avcodec_find_decoder(encoder.codec_id);
    CodecContextPtr decoder(codec == nullptr ? nullptr : avcodec_alloc_context3(codec));
    const CodecParametersPtr parameters(avcodec_parameters_alloc());
    if (decoder == nullptr || parameters == nullptr) return wrong("there is no decoder to try it with");
    decoder->thread_count = 1;
    int status = avcodec_parameters_from_context(parameters.get(), &encoder);
    parameters->format = AV_PIX_FMT_NONE;
    if (status >= 0) status = avcodec_parameters_to_context(decoder.get(), parameters.get());
    if (status >= 0) status = avcodec_open2(decoder.get(), codec, nullptr);
    if (status < 0) return wrong("there is no decoder to try it with (" + avText(status) + ")");
    return decoder;
  }

  // Null: there are no more.
  Status pump(AVCodecContext& encoder, AVCodecContext& decoder, const AVFrame* frame) {
    const PacketPtr packet(av_packet_alloc());
    if (packet == nullptr) return wrong("no memory for a packet");
    int status = avcodec_send_frame(&encoder, frame);
    while (status >= 0 && (status = avcodec_receive_packet(&encoder, packet.get())) >= 0) {
      status = avcodec_send_packet(&decoder, packet.get());
      av_packet_unref(packet.get());
      if (status >= 0) FW_RETURN_IF_ERROR(look(decoder));
    }
    if (frame == nullptr && status == AVERROR_EOF) {
      avcodec_send_packet(&decoder, nullptr);
      return look(decoder);
    }
    if (status >= 0 || status == AVERROR(EAGAIN)) return {};
    return wrong("the encoder does not take its frames (" + avText(status) + ")");
  }

  Status look(AVCodecContext& decoder) {
    const FramePtr frame(av_frame_alloc());
    if (frame == nullptr) return wrong("no memory for a frame");
    while (avcodec_receive_frame(&decoder, frame.get()) >= 0) {
      const bool isKnown = frame->format == AV_PIX_FMT_YUV420P || frame->format == AV_PIX_FMT_NV12;
      if (!isKnown || frame->width != settings_.width || frame->height != settings_.height ||
          distance(*pictures_[seen_ % kPictures], *frame) > kMostApart)
        return wrong("the encoder sees other pictures than were sent");
      ++seen_;
    }
    return {};
  }

  const VideoEncoderSettings& settings_;
  const FrameSource& source_;
  FramePlace place_ = FramePlace::kHost;
  std::shared_ptr<Image> frames_[2];
  std::shared_ptr<Image> pictures_[kPictures];
  std::shared_ptr<FrameHandover> handover_;
  int seen_ = 0;
};

}  // namespace

Status proveHandover(const HandoverWay& way, const EncoderFamily& family,
                     const VideoEncoderSettings& settings, const FrameSource& source) {
  Trial trial(settings, source);
  FW_RETURN_IF_ERROR(trial.open(way));
  FW_RETURN_IF_ERROR(trial.readBack());
  return trial.encode(family);
}

}  // namespace framewright
