#include "libav/encode/video/encoder_probe.h"

#include <cstring>

#include "libav/av_error.h"
#include "libav/encode/video/families.h"
#include "libav/encode/video/open_encoder.h"
#include "libav/log_capture.h"

namespace framewright {
namespace {

constexpr int kWidth = 320, kHeight = 192;  // above the minimum size of every hardware encoder
constexpr double kQuality = 23;

const char* refusalName(RefusalReason refusal) {
  switch (refusal) {
    case RefusalReason::kNotBuilt:
      return "not-built";
    case RefusalReason::kNoDevice:
      return "no-device";
    case RefusalReason::kNoSession:
      return "no-session";
    case RefusalReason::kRefused:
      break;
  }
  return "refused";
}

VideoEncoderSettings trialSettings(const EncoderFamily& family) {
  VideoEncoderSettings settings;
  settings.encoder = family.name;
  settings.crf = kQuality;
  settings.width = kWidth;
  settings.height = kHeight;
  settings.threads = 1;
  settings.preset = family.fastPreset;
  return settings;
}

Result<ImagePtr> greyPicture() {
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image, Image::create(PixelFormat::kI420, kWidth, kHeight));
  for (int i = 0; i < image->planeCount(); ++i) {
    const Plane& plane = image->plane(i);
    std::memset(plane.data, 128, static_cast<size_t>(plane.stride) * plane.height);
  }
  return ImagePtr(std::move(image));
}

Status encodeOne(OpenedEncoder& encoder) {
  FW_ASSIGN_OR_RETURN(const ImagePtr picture, greyPicture());
  FW_ASSIGN_OR_RETURN(const FramePtr frame, encoder.input.frame(picture, 0));
  const PacketPtr packet(av_packet_alloc());
  const LogCapture log;
  int status = packet == nullptr ? AVERROR(ENOMEM) : avcodec_send_frame(encoder.context.get(), frame.get());
  if (status >= 0) status = avcodec_send_frame(encoder.context.get(), nullptr);
  if (status >= 0) status = avcodec_receive_packet(encoder.context.get(), packet.get());
  if (status >= 0) return {};
  return Error{ErrorCode::ENCODE_FAILED, log.text().empty() ? avText(status) : log.text(), ""};
}

std::string versionText(unsigned version) {
  return std::to_string(AV_VERSION_MAJOR(version)) + "." + std::to_string(AV_VERSION_MINOR(version)) + "." +
         std::to_string(AV_VERSION_MICRO(version));
}

}  // namespace

EncoderProbeResult probeEncoder(const std::string& name) {
  const EncoderFamily* family = findEncoderFamily(name);
  if (family == nullptr)
    return {name, false, "unknown to this engine", refusalName(RefusalReason::kNotBuilt)};
  OpenResult outcome = openEncoder(*family, trialSettings(*family));
  if (!outcome.opened) return {name, false, outcome.refusal.reason, refusalName(outcome.refusal.why)};
  const Status status = encodeOne(*outcome.opened);
  if (status.ok()) return {name, true, "", ""};
  return {name, false, status.error().message, refusalName(RefusalReason::kRefused)};
}

std::vector<EncoderProbeResult> probeEncoders() {
  std::vector<EncoderProbeResult> verdicts;
  for (const EncoderFamily* family : encoderFamilies()) verdicts.push_back(probeEncoder(family->name));
  return verdicts;
}

std::string fastPreset(const std::string& encoder) {
  const EncoderFamily* const family = findEncoderFamily(encoder);
  return family == nullptr ? "" : family->fastPreset;
}

std::vector<std::pair<std::string, std::string>> libraryVersions() {
  return {{"libavcodec", versionText(avcodec_version())},
          {"libavformat", versionText(avformat_version())},
          {"libavutil", versionText(avutil_version())},
          {"libswscale", versionText(swscale_version())},
          {"libswresample", versionText(swresample_version())}};
}

}  // namespace framewright
