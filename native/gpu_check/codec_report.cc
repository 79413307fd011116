#include "gpu_check/codec_report.h"

#include <cstdio>

#include "gpu_check/report.h"
#ifdef FRAMEWRIGHT_GPU_CHECK_WITH_LIBAV
#include "compositor/vulkan/vulkan_compositor.h"
#include "gpu_check/decode_streams.h"
#include "libav/encode/video/encoder_probe.h"
#include "libav/hardware/decode/decoder_probes.h"
#include "libav/log_capture.h"
#endif

namespace framewright {

#ifdef FRAMEWRIGHT_GPU_CHECK_WITH_LIBAV

CodecReport checkEncoders() {
  silenceLog();
  CodecReport report{"video encoders:\n", ""};
  for (const EncoderProbeResult& probed : probeEncoders()) {
    report.lines += "  " + probed.name + ": " + (probed.available ? "yes" : "no. " + probed.reason) + "\n";
    report.json += (report.json.empty() ? "{\"name\":" : ",{\"name\":") + quoted(probed.name) +
                   ",\"opens\":" + (probed.available ? "true" : "false") +
                   ",\"refusal\":" + quoted(probed.refusal) + ",\"reason\":" + quoted(probed.reason) + "}";
  }
  return report;
}

namespace {

constexpr double kStreamRate = 30;

// Adds what several decoders at once decode.
void addStreams(const DecoderProbeResult& probed, std::string& line, std::string& json) {
  for (const DecodeDeviceId& id : decodeDevices()) {
    if (id.name() != probed.name) continue;
    for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{3840, 2160}}) {
      const auto measured = measureDecodeStreams(id, probed.format, width, height);
      if (!measured.ok()) {
        line += "\n    " + std::to_string(height) + "p: " + measured.error().message;
        continue;
      }
      const DecodeStreams& streams = measured.value();
      line += format("\n    %dp: %.0f frames per second by %d at once (%.0f streams of 30), %.1f mJ a frame",
                     height, streams.framesPerSecond, streams.decoders, streams.framesPerSecond / kStreamRate,
                     streams.joulesPerFrame * 1e3);
      json += format(
          "%s{\"width\":%d,\"height\":%d,\"decoders\":%d,\"framesPerSecond\":%.1f,"
          "\"joulesPerFrame\":%.5f}",
          json.empty() ? "" : ",", width, height, streams.decoders, streams.framesPerSecond,
          streams.joulesPerFrame);
    }
  }
}

}  // namespace

CodecReport checkDecoders(bool isTimed) {
  silenceLog();
  CodecReport report;
  for (const DecoderProbeResult& probed : isTimed ? probeDecoders(true, 1920, 1080) : probeDecoders()) {
    std::string line = probed.available ? "bit-exact" : "no. " + probed.reason, streams;
    if (probed.available && isTimed) {
      line += format("; %.0f frames per second at 1080p, in software %.0f", probed.framesPerSecond,
                     probed.softwareFramesPerSecond);
      addStreams(probed, line, streams);
    }
    report.lines += "  " + probed.format.name() + " by " + probed.name + ": " + line + "\n";
    report.json +=
        (report.json.empty() ? "{\"device\":" : ",{\"device\":") + quoted(probed.name) +
        ",\"codec\":" + quoted(probed.format.name()) +
        format(",\"exact\":%s,\"framesPerSecond\":%.1f,\"softwareFramesPerSecond\":%.1f",
               probed.available ? "true" : "false", probed.framesPerSecond, probed.softwareFramesPerSecond) +
        ",\"streams\":[" + streams + "],\"reason\":" + quoted(probed.reason) + "}";
  }
  if (!report.lines.empty()) report.lines = "video decoders:\n" + report.lines;
  return report;
}

CodecReport checkDecodeInterop(std::shared_ptr<vulkan::Device> device) {
  CodecReport report;
  DecodeTarget target;
  target.device = device->properties().identity;
  const auto compositor = createVulkanCompositor(std::move(device));
  if (!compositor.ok()) return report;
  target.memory = compositor.value()->decodedFrameMemory();
  for (const DecodeInteropProbe& probed : probeDecodeInterops(target)) {
    report.lines += "  decoded frames of " + probed.name +
                    " stay on the card: " + (probed.available ? "yes, by " : "no. ") + probed.reason + "\n";
    report.json += (report.json.empty() ? "{\"decoder\":" : ",{\"decoder\":") + quoted(probed.name) +
                   ",\"path\":" + quoted(probed.available ? probed.reason : "") +
                   ",\"reason\":" + quoted(probed.available ? "" : probed.reason) + "}";
  }
  return report;
}

#else

CodecReport checkEncoders() { return {}; }
CodecReport checkDecoders(bool) { return {}; }
CodecReport checkDecodeInterop(std::shared_ptr<vulkan::Device>) { return {}; }

#endif

}  // namespace framewright
