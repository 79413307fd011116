#include "libav/hardware/decode/decoder_probes.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "libav/codec_policy.h"
#include "libav/hardware/decode/decode_device.h"
#include "libav/hardware/decode/decode_interop_probe.h"
#include "libav/hardware/decode/probe_clip.h"

namespace framewright {
namespace {

constexpr int kFrames = 32;

double perSecond(const DecodeCost& cost) { return cost.wall > 0 ? 1 / cost.wall : 0; }

DecoderProbeResult probeDevice(const DecodeDeviceId& id, const DecodeFormat& format,
                               const Result<ProbeClip>& clip, bool isTimed) {
  DecoderProbeResult result{id.name(), format};
  const auto refused = [&](const Error& error) {
    result.reason = reasonOf(error);
    return result;
  };
  if (!clip.ok()) return refused(clip.error());
  const AVCodec* const decoder = findHardwareDecoder(*clip.value().head.stream);
  if (decoder == nullptr || !id.backend->supports(*decoder)) {
    result.reason = "not part of this libav build";
    return result;
  }
  const auto device = id.backend->open(id.device);
  if (!device.ok()) return refused(device.error());
  const int threads = isTimed ? static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 4u)) : 0;
  const auto comparison = compareDecoders(clip.value().head, device.value(), threads, CancelToken());
  if (!comparison.ok()) return refused(comparison.error());
  result.available = true;
  result.framesPerSecond = perSecond(comparison.value().hardware);
  result.softwareFramesPerSecond = perSecond(comparison.value().software);
  return result;
}

// Every device decodes one of these; the path does not depend on the codec.
constexpr DecodeFormat kCommonFormats[] = {
    {AV_CODEC_ID_H264, 8}, {AV_CODEC_ID_HEVC, 8}, {AV_CODEC_ID_VP9, 8}};

DecodeInteropProbe probeInteropOf(const DecodeDeviceId& id, const DecodeTarget& wanted) {
  DecodeInteropProbe result{id.name()};
  const auto device = id.backend->open(id.device);
  if (!device.ok()) {
    result.reason = reasonOf(device.error());
    return result;
  }
  const auto target = std::make_shared<DecodeTarget>();
  target->device = wanted.device;
  target->memory = wanted.memory;
  const auto path = device.value()->openDecodeInterop(id.device, target, std::make_shared<FrameCopies>());
  if (!path.ok()) {
    result.reason = reasonOf(path.error());
    return result;
  }
  for (const DecodeFormat& format : kCommonFormats) {
    const DecoderOutput output{target, id.device, decodeInteropKey(id.name(), target->device)};
    const auto probed = probeDecodeInterop(device.value(), format, output, CancelToken());
    result.reason = probed.ok() ? probed.value().reason : reasonOf(probed.error());
    result.available = result.reason.empty();
    if (!result.available) continue;
    result.reason = path.value()->name();
    break;
  }
  return result;
}

}  // namespace

std::vector<DecodeInteropProbe> probeDecodeInterops(const DecodeTarget& target) {
  std::vector<DecodeInteropProbe> results;
  for (const DecodeDeviceId& id : decodeDevices()) results.push_back(probeInteropOf(id, target));
  return results;
}

std::vector<DecoderProbeResult> probeDecoders(bool isTimed, int width, int height) {
  std::vector<DecoderProbeResult> results;
  const std::vector<DecodeDeviceId> devices = decodeDevices();
  if (devices.empty()) return results;
  for (const DecodeFormat& format : kExactFormats) {
    const auto clip = makeProbeClip(format, width, height, kFrames);
    for (const DecodeDeviceId& id : devices) results.push_back(probeDevice(id, format, clip, isTimed));
  }
  return results;
}

std::vector<DecoderProbeResult> probeDecoders() { return probeDecoders(false, kProbeWidth, kProbeHeight); }

}  // namespace framewright
