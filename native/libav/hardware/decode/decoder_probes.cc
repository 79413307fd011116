#include "libav/hardware/decode/decoder_probes.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "libav/codec_policy.h"
#include "libav/hardware/decode/decode_device.h"
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

}  // namespace

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
