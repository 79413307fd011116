#include "commands/commands.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "commands/describe.h"
#include "commands/json_object.h"
#include "formats/png_file.h"
#include "libav/encode/stills/preview_image.h"
#include "render/outputs/render_outputs.h"
#include "render/sources/still_predecoder.h"
#include "timeline/parse_output_file.h"

namespace framewright {
namespace {

using Json = rapidjson::Value;

// Reads the members of a call and records the first error. Invalid members read as empty.
class Arguments {
 public:
  explicit Arguments(const Json& call) : object_(&call) {}

  std::string text(const char* name) {
    const Json* value = find(name);
    if (value == nullptr || !value->IsString()) return fail(name, "a string"), "";
    return {value->GetString(), value->GetStringLength()};
  }
  bool has(const char* name) const { return find(name) != nullptr; }
  std::string optionalText(const char* name) { return has(name) ? text(name) : ""; }
  int64_t integer(const char* name) {
    const Json* value = find(name);
    if (value == nullptr || !value->IsInt64()) return fail(name, "an integer"), 0;
    return value->GetInt64();
  }
  std::optional<double> optionalNumber(const char* name) {
    const Json* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->IsNumber()) return fail(name, "a number"), std::nullopt;
    return value->GetDouble();
  }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> list;
    const Json* value = find(name);
    if (value == nullptr || !value->IsArray()) return fail(name, "an array of strings"), list;
    for (const Json& item : value->GetArray()) {
      if (!item.IsString()) return fail(name, "an array of strings"), list;
      list.emplace_back(item.GetString(), item.GetStringLength());
    }
    return list;
  }
  // Reads the members of a member that is an object.
  template <typename Read>
  auto object(const char* name, const Read& read) {
    static const Json kMissing;
    const Json* value = find(name);
    const Json* outer = std::exchange(object_, value == nullptr ? &kMissing : value);
    auto result = read();
    object_ = outer;
    return result;
  }
  // The JSON text of a member that the command checks itself.
  std::string jsonOf(const char* name) {
    const Json* value = find(name);
    if (value == nullptr) return fail(name, "present"), "";
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    value->Accept(writer);
    return {buffer.GetString(), buffer.GetSize()};
  }
  void fail(const std::string& name, const std::string& expected) {
    if (error_.empty()) error_ = name + " must be " + expected;
  }
  const std::string& error() const { return error_; }

 private:
  const Json* find(const char* name) const {
    if (!object_->IsObject()) return nullptr;
    const auto found = object_->FindMember(name);
    return found == object_->MemberEnd() ? nullptr : &found->value;
  }

  const Json* object_;
  std::string error_;
};

template <typename Value>
Result<CommandResult> described(const Result<Value>& result) {
  if (!result.ok()) return result.error();
  return CommandResult{describe(result.value()), nullptr};
}

CommandResult noResult() { return {"{}", nullptr}; }

Command parseProbe(Arguments& call) {
  return {[path = call.text("path")](auto&, auto&) { return described(probe(path)); }, true};
}

Command parseDecodeAhead(Arguments& call) {
  return {[path = call.text("path")](auto&, auto&) {
    StillPredecoder::ofProcess().decode(path);
    return noResult();
  }};
}

Command parseKeepMedia(Arguments&) {
  return {[](auto&, auto&) {
    cacheMediaBetweenFrames();
    return noResult();
  }};
}

Command parseProbeEncoder(Arguments& call) {
  return {[name = call.text("name")](auto&, auto&) {
            return CommandResult{describe(probeEncoder(name)), nullptr};
          },
          true};
}

Command parseCapabilities(Arguments&) {
  return {[](auto&, auto&) { return CommandResult{describeCapabilities(), nullptr}; }, true};
}

Command parseRenderSegment(Arguments& call) {
  const FrameRange range = call.object("range", [&] {
    return FrameRange{call.integer("first"), call.integer("end")};
  });
  return {[range, text = call.text("timeline"), path = call.text("path")](
              const CancelToken& cancel, const ProgressSink& progress) -> Result<CommandResult> {
    FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
    return described(renderSegment(timeline, range, path, progress, cancel));
  }};
}

Command parseRenderAudio(Arguments& call) {
  return {[text = call.text("timeline"), path = call.text("path")](
              const CancelToken& cancel, const ProgressSink& progress) -> Result<CommandResult> {
    FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
    return described(renderAudio(timeline, path, progress, cancel));
  }};
}

Command parseRenderOutputs(Arguments& call) {
  return {
      [text = call.text("timeline"), outputs = call.jsonOf("outputs"), segments = call.jsonOf("segments")](
          const CancelToken& cancel, const ProgressSink& progress) -> Result<CommandResult> {
        FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
        FW_ASSIGN_OR_RETURN(const auto files, parseOutputFiles(outputs, timeline));
        FW_ASSIGN_OR_RETURN(const auto parts, parseOutputSegments(segments, timeline));
        return described(renderOutputs(timeline, files, parts, progress, cancel));
      }};
}

Command parseExtractAudio(Arguments& call) {
  constexpr int64_t kMinSampleRate = 8000, kMaxSampleRate = 48000;
  const int64_t rate = call.integer("sampleRate");
  if (rate < kMinSampleRate || rate > kMaxSampleRate) call.fail("sampleRate", "from 8000 to 48000");
  return {[rate = static_cast<int>(rate), path = call.text("path"), outputPath = call.text("outputPath")](
              const CancelToken& cancel, auto&) {
    return described(extractAudio(path, outputPath, rate, cancel));
  }};
}

Command parseFindBeats(Arguments& call) {
  constexpr double kMinTempo = 30, kMaxTempo = 300;
  const std::optional<double> tempo = call.optionalNumber("expectedTempo");
  if (tempo && !(*tempo >= kMinTempo && *tempo <= kMaxTempo)) call.fail("expectedTempo", "from 30 to 300");
  return {[tempo, path = call.text("path")](const CancelToken& cancel, auto&) {
    return described(findBeats(path, tempo, cancel));
  }};
}

Command parseStitch(Arguments& call) {
  std::optional<std::string> file;
  const StitchRequest request = call.object("request", [&] {
    if (call.has("file")) file = call.jsonOf("file");
    return StitchRequest{call.texts("segmentPaths"), call.optionalText("audioPath"), call.text("outputPath")};
  });
  return {[request, file](const CancelToken& cancel, auto&) -> Result<CommandResult> {
    StitchRequest complete = request;
    if (file) {
      FW_ASSIGN_OR_RETURN(complete.file, parseStitchedFile(*file));
    }
    return described(stitch(complete, cancel));
  }};
}

// Writes the image's rows without padding to a new file, for callers that cannot share memory.
Status writePixels(const Image& image, const std::string& path) {
  const auto failure = [] {
    return Error{ErrorCode::UNEXPECTED, "The frame's pixel file cannot be written.", std::strerror(errno)};
  };
  const Plane& plane = image.plane(0);
  const size_t rowBytes = static_cast<size_t>(plane.width) * 4;
  const bool isContiguous = rowBytes == static_cast<size_t>(plane.stride);
  const size_t rowsAtOnce = isContiguous ? static_cast<size_t>(plane.height) : 1;
  // "x" never overwrites a file that exists.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wbxe"), std::fclose);
  if (file == nullptr) return failure();
  for (int y = 0; y < plane.height; y += static_cast<int>(rowsAtOnce)) {
    if (std::fwrite(plane.data + y * plane.stride, rowBytes, rowsAtOnce, file.get()) != rowsAtOnce)
      return failure();
  }
  return std::fflush(file.get()) == 0 ? Status() : failure();
}

// `write` null: the result carries the image.
Command frameCommand(Arguments& call, const std::string& path,
                     Status (*write)(const Image&, const std::string&)) {
  return {[text = call.text("timeline"), frame = call.integer("frame"),
           stillsFolder = call.optionalText("stillsFolder"), path,
           write](const CancelToken& cancel, const ProgressSink&) -> Result<CommandResult> {
    FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
    FW_ASSIGN_OR_RETURN(const ImagePtr image, composeFrame(timeline, frame, cancel, stillsFolder));
    if (write != nullptr) FW_RETURN_IF_ERROR(write(*image, path));
    const std::string json = jsonText([&](JsonObject& object) {
      object.set("width", image->width());
      object.set("height", image->height());
    });
    return CommandResult{json, write == nullptr ? image : nullptr};
  }};
}

Command parseComposeFrame(Arguments& call) {
  const std::string path = call.optionalText("pixelsPath");
  return frameCommand(call, path, path.empty() ? nullptr : writePixels);
}

Command parseWriteFrame(Arguments& call) {
  const std::string type = call.optionalText("type");
  if (type != "" && type != "png" && type != "jpeg") call.fail("type", "png or jpeg");
  return frameCommand(call, call.text("imagePath"), type == "jpeg" ? writeJpeg : writePng);
}

constexpr std::pair<const char*, Command (*)(Arguments&)> kCommands[] = {
    {"probe", parseProbe},
    {"probeEncoder", parseProbeEncoder},
    {"capabilities", parseCapabilities},
    {"renderSegment", parseRenderSegment},
    {"renderAudio", parseRenderAudio},
    {"renderOutputs", parseRenderOutputs},
    {"extractSound", parseExtractAudio},
    {"findBeats", parseFindBeats},
    {"stitch", parseStitch},
    {"composeFrame", parseComposeFrame},
    {"writeFrame", parseWriteFrame},
    {"decodeAhead", parseDecodeAhead},
    {"keepMedia", parseKeepMedia},
};

}  // namespace

Result<Command> parseCommand(const rapidjson::Value& call) {
  const auto invalid = [](const std::string& reason) {
    return Error{ErrorCode::UNEXPECTED, "The command is invalid: " + reason + ".", ""};
  };
  Arguments arguments(call);
  const std::string name = arguments.text("command");
  for (const auto& [known, parse] : kCommands) {
    if (name != known) continue;
    Command command = parse(arguments);
    if (!arguments.error().empty()) return invalid(name + ": " + arguments.error());
    return command;
  }
  return invalid(arguments.error().empty() ? name + " does not exist" : arguments.error());
}

Result<Command> parseCommand(std::string json) {
  rapidjson::Document call;
  call.ParseInsitu<kJsonParseFlags>(json.data());
  if (call.HasParseError()) return Error{ErrorCode::UNEXPECTED, "The command is not valid JSON.", ""};
  return parseCommand(call);
}

}  // namespace framewright
