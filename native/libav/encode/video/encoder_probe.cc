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

const char* refusalName(RefusalReason reason) {
  constexpr const char* kNames[] = {"not-built", "no-device", "no-session", "refused"};
  return kNames[static_cast<size_t>(reason)];
}

VideoEncoderSettings probeSettings(const EncoderFamily& family) {
  VideoEncoderSettings settings;
  settings.encoder = family.name;
  settings.crf = kQuality;
  settings.width = kWidth;
  settings.height = kHeight;
  settings.threads = 1;
  settings.preset = family.fastPreset;
  return settings;
}

Result<ImagePtr> greyFrame() {
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image, Image::create(PixelFormat::kI420, kWidth, kHeight));
  for (int i = 0; i < image->planeCount(); ++i) {
    const Plane& plane = image->plane(i);
    std::memset(plane.data, 128, static_cast<size_t>(plane.stride) * plane.height);
  }
  return ImagePtr(std::move(image));
}

Status encodeOne(OpenedEncoder& encoder) {
  FW_ASSIGN_OR_RETURN(const ImagePtr image, greyFrame());
  FW_ASSIGN_OR_RETURN(const FramePtr frame, encoder.input.frame(image, 0));
  FW_ASSIGN_OR_RETURN(const PacketPtr packet, allocatePacket());
  const LogCapture log;
  int status = avcodec_send_frame(encoder.context.get(), frame.get());
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
    return {name, false, "the engine does not know this encoder", refusalName(RefusalReason::kNotBuilt)};
  OpenResult outcome = openEncoder(*family, probeSettings(*family));
  if (!outcome.opened) return {name, false, outcome.refusal.reason, refusalName(outcome.refusal.why)};
  const Status status = encodeOne(*outcome.opened);
  if (status.ok()) return {name, true, "", "", outcome.opened->variant, outcome.opened->ignoredOptions};
  return {name, false, status.error().message, refusalName(RefusalReason::kRefused)};
}

std::vector<EncoderProbeResult> probeEncoders() {
  std::vector<EncoderProbeResult> results;
  for (const EncoderFamily* family : encoderFamilies()) results.push_back(probeEncoder(family->name));
  return results;
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
