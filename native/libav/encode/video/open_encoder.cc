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

// Frames in a device pool: those the encoder works on, and the last one for reuse.
constexpr int kPooledFrames = 16;

constexpr int64_t kFinalPts = int64_t{1} << 40;

void configureShared(AVCodecContext& context, const EncoderFamily& family,
                     const VideoEncoderSettings& settings) {
  context.width = settings.width;
  context.height = settings.height;
  context.pix_fmt = family.device == AV_HWDEVICE_TYPE_VAAPI ? AV_PIX_FMT_VAAPI
                    : settings.bitDepth == 10               ? AV_PIX_FMT_YUV420P10LE
                                                            : family.inputFormat;
  context.time_base = {static_cast<int>(settings.fps.den), static_cast<int>(settings.fps.num)};
  context.framerate = {static_cast<int>(settings.fps.num), static_cast<int>(settings.fps.den)};
  context.sample_aspect_ratio = {1, 1};
  context.gop_size = settings.keyframeInterval;
  context.color_range = AVCOL_RANGE_MPEG;
  context.colorspace = static_cast<AVColorSpace>(settings.colors.matrix);
  context.color_primaries = static_cast<AVColorPrimaries>(settings.colors.primaries);
  context.color_trc = static_cast<AVColorTransferCharacteristic>(settings.colors.transfer);
  context.chroma_sample_location = AVCHROMA_LOC_LEFT;
  context.thread_count = settings.threads;
  context.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP;
}

bool containsAny(std::string_view message, std::span<const std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return message.find(part) != std::string_view::npos; });
}

bool mayLackVariant(const EncoderFamily& family, std::string_view message) {
  return classifyRefusal(family, message) == RefusalReason::kNoDevice &&
         containsAny(message, family.lacksVariantMessages);
}

EncoderRefusal makeRefusal(const EncoderFamily& family, RefusalReason why, const std::string& reason) {
  const std::string name = family.name;
  if (why == RefusalReason::kNoSession)
    return {why, reason, {ErrorCode::ENCODER_BUSY, "all sessions of " + name + " are in use", reason}};
  return {why, reason, {ErrorCode::ENCODER_UNAVAILABLE, "the encoder " + name + " cannot be opened", reason}};
}

EncoderRefusal refusalFor(const EncoderFamily& family, int status, const std::string& message) {
  const std::string reason = message.empty() ? avText(status) : message;
  return makeRefusal(family, classifyRefusal(family, reason), reason);
}

Result<BufferPtr> createPool(const std::string& node, const VideoEncoderSettings& settings) {
  FW_ASSIGN_OR_RETURN(const BufferPtr device, openHardwareDevice(AV_HWDEVICE_TYPE_VAAPI, node));
  return createFramePool(*device, settings.width, settings.height, kPooledFrames);
}

// Opens one variant on one device.
OpenResult tryOpen(const EncoderFamily& family, const VideoEncoderSettings& settings, const AVCodec& codec,
                   const EncoderDevice& device, int variant) {
  const std::string& node = device.node;
  OpenResult outcome;
  const LogCapture log;
  BufferPtr pool;
  if (!node.empty()) {
    auto created = createPool(node, settings);
    if (!created.ok()) {
      const Error& error = created.error();
      outcome.refusal =
          refusalFor(family, 0, node + ": " + (error.detail.empty() ? error.message : error.detail));
      return outcome;
    }
    pool = created.take();
  }
  int status = 0;
  Options options;
  EncoderContextPtr context(avcodec_alloc_context3(&codec), CloseEncoder{family.needsFrameBeforeClose});
  if (context == nullptr) status = AVERROR(ENOMEM);
  if (status >= 0) {
    configureShared(*context, family, settings);
    family.configure(settings, variant, *context, options);
    if (device.cudaOrdinal) options.set("gpu", std::to_string(*device.cudaOrdinal).c_str());
    if (settings.interop != nullptr) {
      context->pix_fmt = settings.interop->format();
      if (AVBufferRef* const frames = settings.interop->pool())
        context->hw_frames_ctx = av_buffer_ref(frames);
    }
    if (pool != nullptr) context->hw_frames_ctx = av_buffer_ref(pool.get());
    status = avcodec_open2(context.get(), &codec, options.get());
  }
  if (status < 0) {
    outcome.refusal = refusalFor(family, status, (node.empty() ? "" : node + ": ") + log.text());
    return outcome;
  }
  context->has_b_frames = std::max(context->has_b_frames, family.maxReorderFrames);
  FrameInput input = settings.interop != nullptr ? FrameInput(settings.interop)
                     : pool != nullptr           ? FrameInput(std::move(pool))
                                                 : FrameInput(family.inputFormat);
  outcome.opened.emplace(OpenedEncoder{std::move(context), std::move(input), variant, options.names()});
  return outcome;
}

}  // namespace

void CloseEncoder::operator()(AVCodecContext* context) const {
  const PacketPtr packet(av_packet_alloc());
  const FramePtr frame(av_frame_alloc());
  if (needsFrame && packet != nullptr && frame != nullptr && avcodec_is_open(context) != 0) {
    frame->format = context->pix_fmt;
    frame->width = context->width;
    frame->height = context->height;
    frame->pts = kFinalPts;
    // Refused if the encoder was drained already.
    if (av_frame_get_buffer(frame.get(), 0) >= 0) avcodec_send_frame(context, frame.get());
    avcodec_send_frame(context, nullptr);
    while (avcodec_receive_packet(context, packet.get()) >= 0) av_packet_unref(packet.get());
  }
  avcodec_free_context(&context);
}

RefusalReason classifyRefusal(const EncoderFamily& family, std::string_view message) {
  if (containsAny(message, family.noSessionMessages)) return RefusalReason::kNoSession;
  if (containsAny(message, family.noDeviceMessages)) return RefusalReason::kNoDevice;
  return RefusalReason::kRefused;
}

OpenResult openEncoder(const EncoderFamily& family, const VideoEncoderSettings& settings) {
  OpenResult outcome;
  if (settings.crf < 0 || settings.crf > family.maxCrf) {
    const int worst = static_cast<int>(family.maxCrf);
    outcome.refusal.reason = "encode.crf must be from 0 to " + std::to_string(worst) + " for " + family.name;
    outcome.refusal.error = {ErrorCode::INVALID_TIMELINE, outcome.refusal.reason, ""};
    return outcome;
  }
  const AVCodec* codec =
      avcodec_find_encoder_by_name(family.libavName == nullptr ? family.name : family.libavName);
  if (codec == nullptr) {
    outcome.refusal = makeRefusal(family, RefusalReason::kNotBuilt, "not part of this libav build");
    return outcome;
  }
  std::vector<EncoderDevice> devices{{}};
  // With interop the device is fixed.
  if (settings.interop == nullptr) devices = encoderDevices(family, settings.device);
  std::ranges::stable_partition(
      devices, [&](const EncoderDevice& device) { return device.name() == settings.encoderDevice; });
  if (devices.empty()) {
    outcome.refusal = makeRefusal(family, RefusalReason::kNoDevice, "there is no render node in /dev/dri");
    return outcome;
  }
  std::optional<EncoderRefusal> first;
  std::vector<EncoderDevice> withoutEncoder;
  const int firstVariant = std::clamp(settings.variant.value_or(0), 0, family.variants - 1);
  const int endVariant = settings.variant ? firstVariant + 1 : family.variants;
  for (const EncoderDevice& device : devices) {
    for (int variant = firstVariant; variant < endVariant; ++variant) {
      outcome = tryOpen(family, settings, *codec, device, variant);
      if (outcome.opened) {
        for (const EncoderDevice& each : withoutEncoder) excludeDevice(family, each);
        return outcome;
      }
      if (!first) first = outcome.refusal;
      // Simpler settings create no device and free no session.
      if (outcome.refusal.why != RefusalReason::kRefused && !mayLackVariant(family, outcome.refusal.reason))
        break;
    }
    if (outcome.refusal.why == RefusalReason::kNoSession) first = outcome.refusal;
    if (outcome.refusal.why == RefusalReason::kNoDevice) withoutEncoder.push_back(device);
  }
  outcome.refusal = std::move(*first);
  return outcome;
}

}  // namespace framewright
