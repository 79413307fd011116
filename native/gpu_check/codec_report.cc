#include "gpu_check/codec_report.h"

#include <cstdio>

#include "gpu_check/report.h"
#ifdef FRAMEWRIGHT_GPU_CHECK_WITH_LIBAV
#include "compositor/vulkan/vulkan_compositor.h"
#include "gpu_check/decode_streams.h"
#include "gpu_check/encode_streams.h"
#include "gpu_check/render_streams.h"
#include "libav/encode/video/encoder_probe.h"
#include "libav/encode/video/families.h"
#include "libav/hardware/decode/decoder_probes.h"
#include "libav/log_capture.h"
#endif

namespace framewright {

#ifdef FRAMEWRIGHT_GPU_CHECK_WITH_LIBAV

namespace {

constexpr std::pair<int, int> kStreamSizes[] = {{1920, 1080}, {3840, 2160}};
constexpr double kEncodeSeconds = 1, kRenderSeconds = 2;

void appendItem(std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; }

std::string rateText(const StreamRate& rate) {
  std::string text = format("%.0f frames per second by %d at once (%d streams of 30)", rate.framesPerSecond,
                            rate.count, rate.streams());
  if (rate.sessions > 0) text += format(", at most %d sessions", rate.sessions);
  return rate.joulesPerFrame > 0 ? text + format(", %.1f mJ a frame", rate.joulesPerFrame * 1e3) : text;
}

// An object that is still to be closed.
std::string rateJson(int width, int height, const StreamRate& rate) {
  return format(
      "{\"width\":%d,\"height\":%d,\"count\":%d,\"framesPerSecond\":%.1f,\"streams\":%d,\"sessions\":%d,"
      "\"joulesPerFrame\":%.5f",
      width, height, rate.count, rate.framesPerSecond, rate.streams(), rate.sessions, rate.joulesPerFrame);
}

// Adds what several encoders at once encode, and several renders from a decoder to this encoder.
void addEncodeStreams(const std::string& encoder, std::string& line, std::string& streams,
                      std::string& renders) {
  for (const auto& [width, height] : kStreamSizes) {
    const std::string size = "\n    " + std::to_string(height) + "p";
    if (const auto measured = measureEncodeStreams(encoder, width, height, kEncodeSeconds); measured.ok()) {
      line += size + ": " + rateText(measured.value());
      appendItem(streams, rateJson(width, height, measured.value()) + "}");
    } else {
      line += size + ": " + measured.error().message;
    }
    const auto rendered = measureRenderStreams(encoder, width, height, kRenderSeconds);
    if (!rendered.ok()) {
      line += size + ", whole renders: " + rendered.error().message + " " + rendered.error().detail;
      continue;
    }
    const RenderStreams& found = rendered.value();
    line += size + ", whole renders: " + rateText(found.rate) + "; decoded by " + found.decoder +
            ", composed by " + found.compositor + ", frames " +
            (found.interop.empty() ? "through main memory"
                                   : "by " + found.interop + ", " + std::to_string(found.copiesPerFrame) +
                                         " copies of each on the card");
    appendItem(renders, rateJson(width, height, found.rate) + ",\"decoder\":" + quoted(found.decoder) +
                            ",\"compositor\":" + quoted(found.compositor) +
                            ",\"interop\":" + quoted(found.interop) +
                            ",\"copiesPerFrame\":" + std::to_string(found.copiesPerFrame) + "}");
  }
}

}  // namespace

CodecReport checkEncoders(bool isTimed) {
  silenceLog();
  CodecReport report{"video encoders:\n", ""};
  for (const EncoderProbeResult& probed : probeEncoders()) {
    std::string line = probed.available ? "yes" : "no. " + probed.reason, streams, renders;
    const EncoderFamily* const family = findEncoderFamily(probed.name);
    if (isTimed && probed.available && family != nullptr && family->isHardware)
      addEncodeStreams(probed.name, line, streams, renders);
    report.lines += "  " + probed.name + ": " + line + "\n";
    appendItem(report.json,
               "{\"name\":" + quoted(probed.name) + ",\"opens\":" + (probed.available ? "true" : "false") +
                   ",\"refusal\":" + quoted(probed.refusal) + ",\"reason\":" + quoted(probed.reason) +
                   ",\"streams\":[" + streams + "],\"renders\":[" + renders + "]}");
  }
  return report;
}

namespace {

// Adds what several decoders at once decode.
void addStreams(const DecoderProbeResult& probed, std::string& line, std::string& json) {
  for (const DecodeDeviceId& id : decodeDevices()) {
    if (id.name() != probed.name) continue;
    for (const auto& [width, height] : kStreamSizes) {
      const auto measured = measureDecodeStreams(id, probed.format, width, height);
      if (!measured.ok()) {
        line += "\n    " + std::to_string(height) + "p: " + measured.error().message;
        continue;
      }
      const StreamRate& streams = measured.value();
      line += format("\n    %dp: %.0f frames per second by %d at once (%.0f streams of 30), %.1f mJ a frame",
                     height, streams.framesPerSecond, streams.count, streams.framesPerSecond / kStreamRate,
                     streams.joulesPerFrame * 1e3);
      json += format(
          "%s{\"width\":%d,\"height\":%d,\"decoders\":%d,\"framesPerSecond\":%.1f,"
          "\"joulesPerFrame\":%.5f}",
          json.empty() ? "" : ",", width, height, streams.count, streams.framesPerSecond,
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

CodecReport checkEncoders(bool) { return {}; }
CodecReport checkDecoders(bool) { return {}; }
CodecReport checkDecodeInterop(std::shared_ptr<vulkan::Device>) { return {}; }

#endif

}  // namespace framewright
