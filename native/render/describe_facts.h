#pragma once

#include <string>
#include <vector>

#include "compositor/choose_compositor.h"
#include "kernels/simd_target.h"
#include "libav/demux/probe.h"
#include "libav/encode/video/encoder_probe.h"
#include "libav/hardware/decode/decoder_probes.h"
#include "render/handover_trial.h"
#include "render/render.h"

// The names under which what the engine's acts give leaves it; src/engine/native-binding.ts has the same.
// An Object has set(name, string | double | bool), object(name, fill) and list(name, items, fillEach), where
// a fill gets another Object.
namespace framewright {

inline constexpr const char* kEngineVersion = "0.1.0";

template <typename Object>
void describe(const MediaMetadata& facts, Object& object) {
  constexpr const char* kKinds[] = {"image", "video", "audio"};
  object.set("kind", std::string(kKinds[static_cast<int>(facts.kind)]));
  object.set("container", facts.container);
  object.set("videoCodec", facts.videoCodec);
  object.set("audioCodec", facts.audioCodec);
  object.set("width", static_cast<double>(facts.width));
  object.set("height", static_cast<double>(facts.height));
  object.set("durationSeconds", facts.durationSeconds);
  if (facts.plays) object.set("plays", static_cast<double>(*facts.plays));
  object.object("frameRate", [&](auto& rate) {
    rate.set("num", static_cast<double>(facts.frameRate.num));
    rate.set("den", static_cast<double>(facts.frameRate.den));
  });
  object.set("hasAudio", facts.hasAudio);
}

template <typename Object>
void describe(const AudioFacts& facts, Object& object) {
  object.set("samples", static_cast<double>(facts.samples));
  object.set("bytes", static_cast<double>(facts.bytes));
}

template <typename Object>
void describe(const SegmentFacts& facts, Object& object) {
  object.set("frames", static_cast<double>(facts.frames));
  object.set("composedFrames", static_cast<double>(facts.composedFrames));
  object.set("copiedFrames", static_cast<double>(facts.copiedFrames));
  object.set("mostAtOnce", static_cast<double>(facts.mostAtOnce));
  object.set("bytes", static_cast<double>(facts.bytes));
  object.set("decodeSeconds", facts.decodeSeconds);
  object.set("composeSeconds", facts.composeSeconds);
  object.set("encodeSeconds", facts.encodeSeconds);
  if (!facts.deviceFailure.empty()) object.set("deviceFailure", facts.deviceFailure);
  if (!facts.handover.empty()) object.set("handover", facts.handover);
  if (!facts.handoverReason.empty()) object.set("handoverReason", facts.handoverReason);
  object.list("films", facts.films, [](const DecodeReport& report, auto& entry) {
    entry.set("way", report.backend);
    if (!report.reason.empty()) entry.set("reason", report.reason);
  });
  object.list("elements", facts.elements, [](const ElementTimes& times, auto& entry) {
    entry.set("label", times.label);
    entry.set("decodeSeconds", times.decodeSeconds);
    entry.set("composeSeconds", times.composeSeconds);
  });
}

template <typename Object>
void describe(const OutputFacts& facts, Object& object) {
  object.set("frames", static_cast<double>(facts.frames));
  object.set("bytes", static_cast<double>(facts.bytes));
  object.set("durationSeconds", facts.durationSeconds);
}

template <typename Object>
void describe(const EncoderProbeResult& verdict, Object& object) {
  object.set("name", verdict.name);
  object.set("available", verdict.available);
  object.set("reason", verdict.reason);
  object.set("refusal", verdict.refusal);
}

template <typename Object>
void describe(const CompositorProbe& verdict, Object& object) {
  object.set("name", verdict.name);
  object.set("available", verdict.available);
  object.set("reason", verdict.reason);
}

template <typename Object>
void describe(const HandoverVerdict& verdict, Object& object) {
  object.set("name", verdict.name);
  object.set("available", verdict.available);
  object.set("reason", verdict.reason);
}

template <typename Object>
void describe(const DecoderProbeResult& verdict, Object& object) {
  object.set("name", verdict.name);
  object.set("codec", verdict.codec);
  object.set("available", verdict.available);
  object.set("reason", verdict.reason);
}

// Opens every encoder and compositor once, and tries what is between them.
struct Capabilities {
  std::vector<CompositorProbe> compositors = probeCompositors();
  std::vector<EncoderProbeResult> encoders = probeEncoders();
  std::vector<HandoverVerdict> handovers = tryHandovers(encoders);
  std::vector<DecoderProbeResult> decoders = probeDecoders();
};

template <typename Object>
void describe(const Capabilities& capabilities, Object& object) {
  const auto each = [](const auto& verdict, auto& entry) { describe(verdict, entry); };
  object.set("engineVersion", std::string(kEngineVersion));
  object.object("libraries", [](auto& libraries) {
    for (const auto& [name, version] : libraryVersions()) libraries.set(name.c_str(), version);
  });
  object.set("simd", std::string(simdTargetName()));
  object.list("compositors", capabilities.compositors, each);
  object.list("encoders", capabilities.encoders, each);
  object.list("handovers", capabilities.handovers, each);
  object.list("decoders", capabilities.decoders, each);
}

}  // namespace framewright
