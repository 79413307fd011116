#include "libav/encode/video/open_encoder.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "libav/av_error.h"
#include "libav/encode/video/encoder_devices.h"
#include "libav/hardware/hardware_device.h"
#include "libav/log_capture.h"

namespace framewright {
namespace {

// Pictures in a device's memory at once: those that the encoder works on, and the last one for the next.
constexpr int kPooledPictures = 16;

constexpr int64_t kAfterAllOthers = int64_t{1} << 40;

void configureShared(AVCodecContext& context, const EncoderFamily& family,
                     const VideoEncoderSettings& settings) {
  context.width = settings.width;
  context.height = settings.height;
  context.pix_fmt = family.device == AV_HWDEVICE_TYPE_VAAPI ? AV_PIX_FMT_VAAPI : family.pictures;
  context.time_base = {static_cast<int>(settings.fps.den), static_cast<int>(settings.fps.num)};
  context.framerate = {static_cast<int>(settings.fps.num), static_cast<int>(settings.fps.den)};
  context.sample_aspect_ratio = {1, 1};
  context.gop_size = settings.keyframeInterval;
  context.color_range = AVCOL_RANGE_MPEG;
  context.colorspace = AVCOL_SPC_BT709;
  context.color_primaries = AVCOL_PRI_BT709;
  context.color_trc = AVCOL_TRC_BT709;
  context.chroma_sample_location = AVCHROMA_LOC_LEFT;
  context.thread_count = settings.threads;
  context.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP;
}

EncoderRefusal refused(const EncoderFamily& family, Refusal why, const std::string& reason) {
  EncoderRefusal refusal{why, reason, {}};
  if (why == Refusal::kNoSession) {
    refusal.error = {ErrorCode::ENCODER_BUSY, std::string("all sessions of ") + family.name + " are in use",
                     reason};
  } else {
    refusal.error = {ErrorCode::ENCODER_UNAVAILABLE,
                     std::string("the encoder ") + family.name + " cannot be opened", reason};
  }
  return refusal;
}

EncoderRefusal refusedBy(const EncoderFamily& family, int status, const std::string& words) {
  const std::string reason = words.empty() ? avText(status) : words;
  return refused(family, family.refusal == nullptr ? Refusal::kRefused : family.refusal(reason), reason);
}

Result<BufferPtr> createPool(const std::string& node, const VideoEncoderSettings& settings) {
  FW_ASSIGN_OR_RETURN(const BufferPtr device, openHardwareDevice(AV_HWDEVICE_TYPE_VAAPI, node));
  return createFramePool(*device, settings.width, settings.height, kPooledPictures);
}

// One device, one variant.
OpeningOutcome attempt(const EncoderFamily& family, const VideoEncoderSettings& settings,
                       const AVCodec& codec, const EncoderSeat& seat, int variant) {
  const std::string& node = seat.node;
  OpeningOutcome outcome;
  const LogCapture log;
  BufferPtr pool;
  if (!node.empty()) {
    auto created = createPool(node, settings);
    if (!created.ok()) {
      const Error& error = created.error();
      outcome.refusal =
          refusedBy(family, 0, node + ": " + (error.detail.empty() ? error.message : error.detail));
      return outcome;
    }
    pool = created.take();
  }
  int status = 0;
  EncoderContextPtr context(avcodec_alloc_context3(&codec), CloseEncoder{family.needsPictureBeforeClosing});
  if (context == nullptr) status = AVERROR(ENOMEM);
  if (status >= 0) {
    configureShared(*context, family, settings);
    Options options;
    family.configure(settings, variant, *context, options);
    if (seat.card) options.set("gpu", std::to_string(*seat.card).c_str());
    if (settings.handover != nullptr) {
      context->pix_fmt = settings.handover->format();
      if (AVBufferRef* const given = settings.handover->pool()) context->hw_frames_ctx = av_buffer_ref(given);
    }
    if (pool != nullptr) context->hw_frames_ctx = av_buffer_ref(pool.get());
    status = avcodec_open2(context.get(), &codec, options.get());
  }
  if (status < 0) {
    outcome.refusal = refusedBy(family, status, (node.empty() ? "" : node + ": ") + log.text());
    return outcome;
  }
  context->has_b_frames = std::max(context->has_b_frames, family.reordered);
  if (settings.handover != nullptr) {
    outcome.opened.emplace(OpenedEncoder{std::move(context), PictureInput(settings.handover)});
    return outcome;
  }
  PictureInput input = pool == nullptr ? PictureInput(family.pictures) : PictureInput(std::move(pool));
  outcome.opened.emplace(OpenedEncoder{std::move(context), std::move(input)});
  return outcome;
}

}  // namespace

void CloseEncoder::operator()(AVCodecContext* context) const {
  const PacketPtr packet(av_packet_alloc());
  const FramePtr frame(av_frame_alloc());
  if (needsPicture && packet != nullptr && frame != nullptr && avcodec_is_open(context) != 0) {
    frame->format = context->pix_fmt;
    frame->width = context->width;
    frame->height = context->height;
    frame->pts = kAfterAllOthers;
    // Refused where it was told already that there are no more.
    if (av_frame_get_buffer(frame.get(), 0) >= 0) avcodec_send_frame(context, frame.get());
    avcodec_send_frame(context, nullptr);
    while (avcodec_receive_packet(context, packet.get()) >= 0) av_packet_unref(packet.get());
  }
  avcodec_free_context(&context);
}

OpeningOutcome openEncoder(const EncoderFamily& family, const VideoEncoderSettings& settings) {
  OpeningOutcome outcome;
  if (settings.crf < 0 || settings.crf > family.worstQuality) {
    const int worst = static_cast<int>(family.worstQuality);
    outcome.refusal.reason = "encode.crf must be from 0 to " + std::to_string(worst) + " for " + family.name;
    outcome.refusal.error = {ErrorCode::INVALID_TIMELINE, outcome.refusal.reason, ""};
    return outcome;
  }
  const AVCodec* codec =
      avcodec_find_encoder_by_name(family.libavName == nullptr ? family.name : family.libavName);
  if (codec == nullptr) {
    outcome.refusal = refused(family, Refusal::kNotBuilt, "not part of this libav build");
    return outcome;
  }
  std::vector<EncoderSeat> seats{{}};
  // With a hand-over the device is decided.
  if (settings.handover == nullptr) seats = seatsOf(family, settings.device);
  if (seats.empty()) {
    outcome.refusal = refused(family, Refusal::kNoDevice, "there is no render node in /dev/dri");
    return outcome;
  }
  std::optional<EncoderRefusal> first;
  for (const EncoderSeat& seat : seats) {
    for (int variant = 0; variant < family.variants; ++variant) {
      outcome = attempt(family, settings, *codec, seat, variant);
      if (outcome.opened) return outcome;
      if (!first) first = outcome.refusal;
      // Simpler settings bring no device, and free no session.
      if (outcome.refusal.why != Refusal::kRefused) break;
    }
    if (outcome.refusal.why == Refusal::kNoSession) first = outcome.refusal;
  }
  outcome.refusal = std::move(*first);
  return outcome;
}

}  // namespace framewright
