#include "commands/describe.h"

#include <cmath>

#include "commands/json_object.h"
#include "compositor/choose_compositor.h"
#include "kernels/simd_target.h"
#include "libav/hardware/decode/decoder_probes.h"
#include "render/interop_probe.h"

namespace framewright {
namespace {

constexpr const char* kEngineVersion = "0.1.0";

void describeEncoder(const EncoderProbeResult& encoder, JsonObject& object) {
  object.set("name", encoder.name);
  object.set("available", encoder.available);
  object.set("reason", encoder.reason);
  object.set("refusal", encoder.refusal);
  object.set("variant", encoder.variant);
  object.values("ignoredOptions", encoder.ignoredOptions);
}

void describeFaults(JsonObject& object, const std::vector<SourceFaults>& faults) {
  object.list("faults", faults, [](const SourceFaults& source, JsonObject& entry) {
    entry.set("label", source.label);
    entry.set("lostSeconds", source.lostSeconds);
  });
}

void describeVideos(JsonObject& object, const std::vector<DecodeReport>& videos) {
  object.list("videos", videos, [](const DecodeReport& report, JsonObject& entry) {
    entry.set("backend", report.backend);
    entry.setUnlessEmpty("reason", report.reason);
    const FrameTransfers& transfers = report.transfers;
    if (transfers.copies == nullptr) return;
    entry.setUnlessEmpty("interop", transfers.interop);
    entry.setUnlessEmpty("interopReason", transfers.reason);
    entry.set("hostCopies", transfers.copies->host.load());
    entry.set("deviceCopies", transfers.copies->device.load());
  });
}

void describeSegment(const SegmentResult& segment, JsonObject& object) {
  object.set("frames", segment.frames);
  object.set("composedFrames", segment.composedFrames);
  object.set("copiedFrames", segment.copiedFrames);
  object.set("footageFrames", segment.footageFrames);
  object.set("maxParallelEncoders", segment.maxParallelEncoders);
  object.set("bytes", segment.bytes);
  object.set("decodeSeconds", segment.decodeSeconds);
  object.set("composeSeconds", segment.composeSeconds);
  object.set("encodeSeconds", segment.encodeSeconds);
  object.setUnlessEmpty("deviceFailure", segment.deviceFailure);
  object.setUnlessEmpty("interop", segment.interop);
  object.setUnlessEmpty("interopReason", segment.interopReason);
  if (!segment.interop.empty()) object.set("interopCopies", segment.interopCopies);
  describeVideos(object, segment.videos);
  describeFaults(object, segment.faults);
  object.list("uncopied", segment.uncopied, [](const UncopiedVideo& video, JsonObject& entry) {
    entry.set("label", video.label);
    entry.set("reason", video.reason);
  });
  object.list("elements", segment.elements, [](const ElementTimes& times, JsonObject& entry) {
    entry.set("label", times.label);
    entry.set("decodeSeconds", times.decodeSeconds);
    entry.set("composeSeconds", times.composeSeconds);
  });
}

}  // namespace

std::string describe(const MediaMetadata& media) {
  return jsonText([&](JsonObject& object) {
    constexpr const char* kKinds[] = {"image", "video", "audio"};
    object.set("kind", std::string_view(kKinds[static_cast<int>(media.kind)]));
    object.set("container", media.container);
    object.set("videoCodec", media.videoCodec);
    object.set("audioCodec", media.audioCodec);
    object.set("width", media.width);
    object.set("height", media.height);
    object.set("durationSeconds", media.durationSeconds);
    if (media.plays) object.set("plays", *media.plays);
    object.object("frameRate", [&](JsonObject& rate) {
      rate.set("num", media.frameRate.num);
      rate.set("den", media.frameRate.den);
    });
    object.set("hasAudio", media.hasAudio);
    object.setUnlessEmpty("hdr", media.hdr);
    if (media.mastering) object.values("mastering", media.mastering->values());
    std::vector<std::string> omitted;
    for (const OmittedContent content : media.omitted) {
      constexpr const char* kNames[] = {"animation", "audio", "audio-tracks", "end"};
      omitted.emplace_back(kNames[static_cast<int>(content)]);
    }
    if (!omitted.empty()) object.values("omitted", omitted);
  });
}

std::string describe(const AudioResult& audio) {
  return jsonText([&](JsonObject& object) {
    object.set("samples", audio.samples);
    object.set("bytes", audio.bytes);
    describeFaults(object, audio.faults);
  });
}

std::string describe(const Beats& beats) {
  // Tenths of milliseconds are less than what is measured.
  const auto rounded = [](double value, double digits) { return std::round(value * digits) / digits; };
  std::vector<double> times;
  for (const double time : beats.times) times.push_back(rounded(time, 1e4));
  return jsonText([&](JsonObject& object) {
    object.set("tempo", rounded(beats.tempo, 1e1));
    object.values("beats", times);
  });
}

std::string describe(const SegmentResult& segment) {
  return jsonText([&](JsonObject& object) { describeSegment(segment, object); });
}

std::string describe(const MuxResult& output) {
  return jsonText([&](JsonObject& object) {
    object.set("frames", output.frames);
    object.set("bytes", output.bytes);
    object.set("durationSeconds", output.durationSeconds);
  });
}

std::string describe(const RenderedOutputs& rendered) {
  return jsonText([&](JsonObject& object) {
    object.list("segments", rendered.segments, [](const auto& segment, JsonObject& entry) {
      if (segment.ok()) {
        describeSegment(segment.value(), entry);
      } else {
        entry.set("code", std::string_view(errorCodeName(segment.error().code)));
        entry.set("message", segment.error().message);
        entry.set("detail", segment.error().detail);
      }
    });
    object.list("compositions", rendered.compositions,
                [](const CompositionResult& composition, JsonObject& entry) {
                  entry.set("compositor", std::string_view(composition.isOnDevice ? "vulkan" : "cpu"));
                  entry.set("frames", composition.frames);
                  entry.set("hostFrames", composition.hostFrames);
                  entry.setUnlessEmpty("deviceFailure", composition.deviceFailure);
                  describeVideos(entry, composition.videos);
                });
    object.list("outputs", rendered.files, [](const OutputFileResult& output, JsonObject& entry) {
      entry.set("path", output.path);
      entry.set("bytes", output.bytes);
      entry.set("frames", output.frames);
      entry.set("width", output.width);
      entry.set("height", output.height);
      entry.set("durationSeconds", output.durationSeconds);
    });
  });
}

std::string describe(const EncoderProbeResult& encoder) {
  return jsonText([&](JsonObject& object) { describeEncoder(encoder, object); });
}

std::string describeCapabilities() {
  const auto compositors = probeCompositors();
  const auto encoders = probeEncoders();
  const auto interops = probeInteropBackends(encoders);
  const auto decoders = probeDecoders();
  const auto decodeInterops = probeDecodeInterops();
  const auto describeProbe = [](const auto& probed, JsonObject& entry) {
    entry.set("name", probed.name);
    entry.set("available", probed.available);
    entry.set("reason", probed.reason);
  };
  return jsonText([&](JsonObject& object) {
    object.set("engineVersion", std::string_view(kEngineVersion));
    object.object("libraries", [](JsonObject& libraries) {
      for (const auto& [name, version] : libraryVersions()) libraries.set(name.c_str(), version);
    });
    object.set("simd", std::string_view(simdTargetName()));
    object.list("compositors", compositors, describeProbe);
    object.list("encoders", encoders, describeEncoder);
    object.list("interops", interops, describeProbe);
    object.list("decoders", decoders, [&](const DecoderProbeResult& decoder, JsonObject& entry) {
      describeProbe(decoder, entry);
      entry.set("codec", decoder.format.name());
    });
    object.list("decodeInterops", decodeInterops, describeProbe);
  });
}

}  // namespace framewright
