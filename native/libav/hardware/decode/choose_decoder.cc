#include "libav/hardware/decode/choose_decoder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/file_key.h"
#include "devices/device_registry.h"
#include "libav/codec_policy.h"
#include "libav/demux/demuxer.h"
#include "libav/hardware/decode/decode_device.h"
#include "libav/hardware/decode/decode_interop_probe.h"
#include "libav/hardware/decode/decode_probe.h"
#include "libav/hardware/decode/surface_decoder.h"

namespace framewright {
namespace {

// Probing decodes the first frames of a video three times, and opening a device decoder takes some tenths of
// a second, which does not pay for less than half a minute of HD.
constexpr int64_t kMinProbePixels = int64_t{1920} * 1080 * 750;
constexpr size_t kProbePackets = 32;
constexpr double kDefaultFrameRate = 25;

DecodeFormat formatOf(const AVStream& stream) {
  const AVCodecParameters& parameters = *stream.codecpar;
  return {parameters.codec_id, surfaceBits(static_cast<AVPixelFormat>(parameters.format))};
}

bool isExact(const DecodeFormat& format) {
  return std::any_of(std::begin(kExactFormats), std::end(kExactFormats), [&](const DecodeFormat& exact) {
    return exact.codec == format.codec && exact.bits == format.bits;
  });
}

bool isLongEnough(const VideoToDecode& video) {
  const AVRational rate = video.stream.avg_frame_rate;
  const double frames = static_cast<double>(video.playedUs) / 1e6 *
                        (rate.num > 0 && rate.den > 0 ? av_q2d(rate) : kDefaultFrameRate);
  const AVCodecParameters& parameters = *video.stream.codecpar;
  return frames * parameters.width * parameters.height >= static_cast<double>(kMinProbePixels);
}

// Opens the file again, so that the demuxer in use keeps its position.
Result<std::unique_ptr<Demuxer>> openHead(const VideoToDecode& video, ClipHead& head) {
  FW_ASSIGN_OR_RETURN(auto demuxer, Demuxer::open(video.path));
  head.stream = demuxer->videoStream();
  if (head.stream == nullptr) return Error{ErrorCode::DECODE_FAILED, "the file changed while being read", ""};
  demuxer->select(*head.stream);
  while (head.packets.size() < kProbePackets) {
    FW_ASSIGN_OR_RETURN(PacketPtr packet, allocatePacket());
    FW_ASSIGN_OR_RETURN(const bool more, demuxer->read(*packet));
    if (!more) break;
    head.packets.push_back(std::move(packet));
  }
  return demuxer;
}

// Returns why the device must not decode this video; empty: its output is correct and, in automatic mode,
// faster.
Result<ProbeOutcome> probeVideo(const VideoToDecode& video, const DecodeSession& session,
                                const CancelToken& cancel) {
  ClipHead head;
  FW_ASSIGN_OR_RETURN(const auto demuxer, openHead(video, head));
  const bool isTimed = video.mode == HardwareDecode::kAuto;
  auto comparison = compareDecoders(head, session.device(), isTimed ? video.threads : 0, cancel);
  if (!comparison.ok() && comparison.error().code == ErrorCode::CANCELLED) return comparison.error();
  if (!comparison.ok()) return decodeFailure(comparison.error().message);
  return ProbeOutcome{isTimed ? slowdownReason(comparison.value()) : ""};
}

Result<std::string> videoRejectionReason(const VideoToDecode& video, const DecodeSession& session,
                                         const CancelToken& cancel) {
  const std::string key =
      session.name() + '\n' + fileKey(video.path) + (video.mode == HardwareDecode::kOn ? "\non" : "");
  return ProbeCache::ofProcess().findOrProbe(key, [&] { return probeVideo(video, session, cancel); });
}

// Puts the devices of the card that composes first: their frames can stay on it.
void preferCard(std::vector<DecodeDeviceId>& devices, const DeviceIdentity& card) {
  const auto isOfCard = [&](const DecodeDeviceId& id) {
    const DeviceIdentity known = DeviceRegistry::ofProcess().find(card);
    return id.device == renderNodePath(known.renderNode) || id.device == std::to_string(known.cudaOrdinal);
  };
  // The order of backends stays.
  for (auto first = devices.begin(); first != devices.end();) {
    const auto end = std::find_if(first, devices.end(),
                                  [&](const DecodeDeviceId& id) { return id.backend != first->backend; });
    std::stable_partition(first, end, isOfCard);
    first = end;
  }
}

}  // namespace

DecodeChoice chooseDecoder(const VideoToDecode& video, const CancelToken& cancel) {
  DecodeChoice choice;
  if (video.mode == HardwareDecode::kOff) return choice;
  std::vector<DecodeDeviceId> devices = decodeDevices();
  if (devices.empty()) return choice;
  if (video.target != nullptr) preferCard(devices, video.target->device);
  const DecodeFormat format = formatOf(video.stream);
  if (!isExact(format)) {
    choice.reason =
        "hardware decoding supports only 4:2:0 H.264 with 8 bits, and HEVC, VP9 and AV1 with 8 or 10";
    return choice;
  }
  if (video.mode == HardwareDecode::kAuto && !isLongEnough(video)) return choice;
  const AVCodec* const codec = findHardwareDecoder(video.stream);
  for (const DecodeDeviceId& id : devices) {
    if (codec == nullptr || !id.backend->supports(*codec)) continue;
    const auto addReason = [&](const std::string& reason) {
      choice.reason += (choice.reason.empty() ? "" : "; ") + id.name() + ": " + reason;
    };
    auto session = DecodeSession::acquire(id, format, cancel);
    if (!session.ok()) {
      addReason(session.error().message);
      continue;
    }
    const auto rejectionReason = videoRejectionReason(video, *session.value(), cancel);
    if (!rejectionReason.ok()) return {};  // cancelled, or an error that opening the video reports too
    if (!rejectionReason.value().empty()) {
      addReason(rejectionReason.value());
      continue;
    }
    // The decoder's device pointer owns the session.
    const std::shared_ptr<const DecodeDevice> device(session.value(), session.value()->device().get());
    auto decoder = decodeOnDevice(video.stream, device, video.target != nullptr);
    if (!decoder.ok()) {
      addReason(decoder.error().message);
      continue;
    }
    choice.decoder = decoder.take();
    choice.backend = id.backend->name;
    choice.device = id.device;
    choice.opened = device;
    setDecodeTarget(*choice.decoder, choice, video, cancel);
    return choice;
  }
  return choice;
}

void setDecodeTarget(FrameDecoder& decoder, const DecodeChoice& choice, const VideoToDecode& video,
                     const CancelToken& cancel) {
  decoder.setOutput({});
  if (video.target == nullptr || choice.opened == nullptr) return;
  const DecodeFormat format = formatOf(video.stream);
  if (!video.target->memory->reads(format.bits))
    return decoder.useHostMemory("its frames are converted on the CPU");
  const std::string name = choice.backend + " " + choice.device;
  const DecoderOutput output{video.target, choice.device,
                             decodeInteropKey(name, video.target->device, format.bits)};
  const auto reason = ProbeCache::ofProcess().findOrProbe(
      output.key, [&] { return probeDecodeInterop(choice.opened, format, output, cancel); });
  if (!reason.ok()) return decoder.useHostMemory(reasonOf(reason.error()));
  if (!reason.value().empty()) return decoder.useHostMemory(reason.value());
  decoder.setOutput(output);
}

void disableDecoder(const DecodeChoice& choice, const VideoToDecode& video, const DecoderFault& fault) {
  const std::string name = choice.backend + " " + choice.device, why = "it failed: " + fault.why;
  if (decodeFailure(why).isTemporary) return;
  ProbeCache& cache = ProbeCache::ofProcess();
  const std::string key = name + '\n' + fileKey(video.path);
  cache.store(key, why);
  cache.store(key + "\non", why);
  if (fault.isDeviceFault) cache.store(formatKey(name, formatOf(video.stream)), why);
}

}  // namespace framewright
