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
  CodecReport report{"video encoders:\n", ""};
  for (const EncoderProbeResult& probed : probeEncoders()) {
    report.lines += "  " + probed.name + ": " + (probed.available ? "yes" : "no. " + probed.reason) + "\n";
    report.json += (report.json.empty() ? "{\"name\":" : ",{\"name\":") + quoted(probed.name) +
                   ",\"opens\":" + (probed.available ? "true" : "false") +
                   ",\"refusal\":" + quoted(probed.refusal) + ",\"reason\":" + quoted(probed.reason) + "}";
  }
  return report;
}

CodecReport checkDecoders(bool isTimed) {
  silenceLog();
  CodecReport report;
  for (const DecoderProbeResult& probed : isTimed ? probeDecoders(true, 1920, 1080) : probeDecoders()) {
    char speeds[160] = "", json[160];
    if (probed.available && isTimed) {
      std::snprintf(speeds, sizeof speeds, "; %.0f frames per second at 1080p, in software %.0f",
                    probed.framesPerSecond, probed.softwareFramesPerSecond);
    }
    std::snprintf(json, sizeof json,
                  ",\"proven\":%s,\"picturesPerSecond\":%.1f,\"processorsPerSecond\":%.1f,\"reason\":",
                  probed.available ? "true" : "false", probed.framesPerSecond,
                  probed.softwareFramesPerSecond);
    const std::string text = probed.available ? std::string("bit-exact") + speeds : "no. " + probed.reason;
    report.lines += "  " + probed.codec + " by " + probed.name + ": " + text + "\n";
    report.json += (report.json.empty() ? "{\"device\":" : ",{\"device\":") + quoted(probed.name) +
                   ",\"codec\":" + quoted(probed.codec) + json + quoted(probed.reason) + "}";
  }
  if (!report.lines.empty()) report.lines = "video decoders:\n" + report.lines;
  return report;
}

#else

CodecReport checkEncoders() { return {}; }
CodecReport checkDecoders(bool) { return {}; }

#endif

}  // namespace framewright
