#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "commands/json_object.h"
#include "encoder_bench/encode_clip.h"
#include "encoder_bench/measure_quality.h"
#include "encoder_bench/prepare_clip.h"
#include "encoder_bench/squared_error.h"
#include "libav/av_handle.h"
#include "libav/encode/video/encoder_probe.h"
#include "libav/encode/video/families.h"

namespace framewright {
namespace {

constexpr int kUsage = 2;

constexpr const char* kHelp =
    "usage: framewright-encoder-bench list\n"
    "       framewright-encoder-bench clip --source FILE.y4m\n"
    "       framewright-encoder-bench prepare --source MEDIA --out FILE.y4m [--frames N]\n"
    "       framewright-encoder-bench settings --encoder NAME --crf NUMBER [--preset WORD] [--threads N]\n"
    "       framewright-encoder-bench encode --source FILE.y4m --out PACKETS --encoder NAME --crf NUMBER\n"
    "           [--preset WORD] [--threads N] [--frames N] [--keyframe-seconds S]\n"
    "           [--plan encoder|footage|footage-preset|drawn]\n"
    "       framewright-encoder-bench measure --source FILE.y4m --encoded PACKETS [--frames N]\n"
    "           [--decoded FILE.y4m]\n"
    "Prints one JSON object. A failure is an object with `code` and `message`, and exit code 1.\n";

// The encoder's options beyond size, frame rate and colour, as `name=value` separated by spaces; for hardware
// with several variants those of the best one. Fails with ENCODER_UNAVAILABLE for unknown encoders.
Result<std::string> describeSettings(const VideoEncoderSettings& settings) {
  const EncoderFamily* family = findEncoderFamily(settings.encoder);
  if (family == nullptr) {
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "the encoder " + settings.encoder + " is unknown", ""};
  }
  const CodecContextPtr context(avcodec_alloc_context3(nullptr));
  if (context == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "encoder", ""};
  Options options;
  family->configure(settings, 0, *context, options);
  std::string text;
  for (const AVDictionaryEntry* entry = nullptr;
       (entry = av_dict_get(*options.get(), "", entry, AV_DICT_IGNORE_SUFFIX)) != nullptr;)
    text.append(text.empty() ? "" : " ").append(entry->key).append("=").append(entry->value);
  return text;
}

// Parsed `--name value` pairs.
class Arguments {
 public:
  bool read(int count, char** values) {
    for (int i = 0; i < count; i += 2) {
      const std::string name = values[i];
      if (name.rfind("--", 0) != 0 || i + 1 >= count) return false;
      values_[name.substr(2)] = values[i + 1];
    }
    return true;
  }
  std::string text(const char* name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? "" : found->second;
  }
  double number(const char* name, double fallback) const {
    const std::string value = text(name);
    return value.empty() ? fallback : std::strtod(value.c_str(), nullptr);
  }
  int64_t frames() const { return static_cast<int64_t>(number("frames", 0)); }

 private:
  std::map<std::string, std::string> values_;
};

std::string clipJson(const ClipMetadata& clip) {
  return jsonText([&](JsonObject& object) {
    object.set("width", clip.header.width);
    object.set("height", clip.header.height);
    object.set("fpsNum", clip.header.fps.num);
    object.set("fpsDen", clip.header.fps.den);
    object.set("frames", clip.frames);
  });
}

Result<std::string> list(const Arguments&) {
  return jsonText([](JsonObject& object) {
    object.list("encoders", probeEncoders(), [](const EncoderProbeResult& result, JsonObject& encoder) {
      encoder.set("name", result.name);
      encoder.set("available", result.available);
      encoder.set("reason", result.reason);
    });
    object.object("libraries", [](JsonObject& versions) {
      for (const auto& [name, version] : libraryVersions()) versions.set(name.c_str(), version);
    });
  });
}

Result<std::string> clip(const Arguments& arguments) {
  FW_ASSIGN_OR_RETURN(const ClipMetadata clip, readClip(arguments.text("source")));
  return clipJson(clip);
}

Result<std::string> prepare(const Arguments& arguments) {
  FW_ASSIGN_OR_RETURN(const ClipMetadata clip,
                      prepareClip(arguments.text("source"), arguments.frames(), arguments.text("out")));
  return clipJson(clip);
}

VideoEncoderSettings settingsOf(const Arguments& arguments) {
  VideoEncoderSettings settings;
  settings.encoder = arguments.text("encoder");
  settings.preset = arguments.text("preset");
  settings.crf = arguments.number("crf", -1);
  settings.threads = static_cast<int>(arguments.number("threads", 0));
  const std::string plan = arguments.text("plan");
  settings.matchesVeryfast = plan == "footage-preset";
  settings.showsFootage = plan == "footage" || settings.matchesVeryfast;
  return settings;
}

Result<std::string> settings(const Arguments& arguments) {
  FW_ASSIGN_OR_RETURN(const std::string text, describeSettings(settingsOf(arguments)));
  return jsonText([&](JsonObject& object) { object.set("settings", text); });
}

Result<std::string> encode(const Arguments& arguments) {
  constexpr double kKeyframeSeconds = 5;
  const std::string plan = arguments.text("plan");
  FW_ASSIGN_OR_RETURN(const EncodeCost cost,
                      encodeClip(arguments.text("source"), arguments.frames(), settingsOf(arguments),
                                 arguments.number("keyframe-seconds", kKeyframeSeconds),
                                 !plan.empty() && plan != "encoder", arguments.text("out")));
  return jsonText([&](JsonObject& object) {
    object.set("frames", cost.frames);
    object.set("bytes", cost.bytes);
    object.set("wallSeconds", cost.wallSeconds);
    object.set("cpuSeconds", cost.cpuSeconds);
    object.set("peakMemoryBytes", cost.peakMemoryBytes);
  });
}

Result<std::string> measure(const Arguments& arguments) {
  FW_ASSIGN_OR_RETURN(const Quality quality,
                      measureQuality(arguments.text("source"), arguments.frames(), arguments.text("encoded"),
                                     arguments.text("decoded")));
  return jsonText([&](JsonObject& object) {
    object.set("frames", quality.frames);
    object.values("psnr", quality.psnr);
    object.set("psnrYuv", weighted611(quality.psnr));
    object.set("leastPsnr", quality.minPsnr);
    object.values("ssim", quality.ssim);
    object.set("ssimAll", quality.ssimAll);
    object.values("xpsnr", quality.xpsnr);
    object.set("xpsnrYuv", weighted611(quality.xpsnr));
  });
}

using Command = Result<std::string> (*)(const Arguments&);

int run(int argc, char** argv) {
  const std::map<std::string, Command> commands{{"list", list},       {"clip", clip},
                                                {"prepare", prepare}, {"settings", settings},
                                                {"encode", encode},   {"measure", measure}};
  const auto command = commands.find(argc > 1 ? argv[1] : "");
  Arguments arguments;
  if (command == commands.end() || !arguments.read(argc - 2, argv + 2)) {
    std::fputs(kHelp, stderr);
    return kUsage;
  }
  const Result<std::string> answer = command->second(arguments);
  const std::string json = answer.ok() ? answer.value() : jsonText([&](JsonObject& object) {
    object.set("code", errorCodeName(answer.error().code));
    object.set("message", answer.error().message);
    object.set("detail", answer.error().detail);
  });
  std::printf("%s\n", json.c_str());
  return answer.ok() ? 0 : 1;
}

}  // namespace
}  // namespace framewright

int main(int argc, char** argv) { return framewright::run(argc, argv); }
