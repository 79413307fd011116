#include "gpu_check/codec_report.h"

#include <cstdio>

#include "gpu_check/report.h"
#ifdef FRAMEWRIGHT_GPU_CHECK_WITH_LIBAV
#include "libav/encode/video/encoder_probe.h"
#include "libav/hardware/decode/decoder_probes.h"
#include "libav/log_capture.h"
#endif

namespace framewright {

#ifdef FRAMEWRIGHT_GPU_CHECK_WITH_LIBAV

CodecReport checkEncoders() {
  silenceLog();
  CodecReport report{"films encoded by:\n", ""};
  for (const EncoderProbeResult& verdict : probeEncoders()) {
    report.lines += "  " + verdict.name + ": " + (verdict.available ? "yes" : "no. " + verdict.reason) + "\n";
    report.json += (report.json.empty() ? "{\"name\":" : ",{\"name\":") + quoted(verdict.name) +
                   ",\"opens\":" + (verdict.available ? "true" : "false") +
                   ",\"refusal\":" + quoted(verdict.refusal) + ",\"reason\":" + quoted(verdict.reason) + "}";
  }
  return report;
}

CodecReport checkDecoders(bool isTimed) {
  silenceLog();
  CodecReport report;
  for (const DecoderProbeResult& verdict : isTimed ? probeDecoders(true, 1920, 1080) : probeDecoders()) {
    char speeds[160] = "", facts[160];
    if (verdict.available && isTimed) {
      std::snprintf(speeds, sizeof speeds, "; %.0f frames per second at 1080p, in software %.0f",
                    verdict.framesPerSecond, verdict.softwareFramesPerSecond);
    }
    std::snprintf(facts, sizeof facts,
                  ",\"proven\":%s,\"picturesPerSecond\":%.1f,\"processorsPerSecond\":%.1f,\"reason\":",
                  verdict.available ? "true" : "false", verdict.framesPerSecond,
                  verdict.softwareFramesPerSecond);
    const std::string words =
        verdict.available ? std::string("as the processor does") + speeds : "no. " + verdict.reason;
    report.lines += "  " + verdict.codec + " by " + verdict.name + ": " + words + "\n";
    report.json += (report.json.empty() ? "{\"device\":" : ",{\"device\":") + quoted(verdict.name) +
                   ",\"codec\":" + quoted(verdict.codec) + facts + quoted(verdict.reason) + "}";
  }
  if (!report.lines.empty()) report.lines = "films decoded by:\n" + report.lines;
  return report;
}

#else

CodecReport checkEncoders() { return {}; }
CodecReport checkDecoders(bool) { return {}; }

#endif

}  // namespace framewright
