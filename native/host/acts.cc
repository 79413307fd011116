#include "host/acts.h"

#include <utility>
#include <vector>

#include "formats/png_file.h"
#include "host/json_object.h"
#include "host/pixel_file.h"
#include "libav/demux/probe.h"
#include "libav/encode/stills/jpeg_file.h"
#include "libav/encode/video/encoder_probe.h"
#include "render/describe_facts.h"
#include "render/extract_sound.h"
#include "render/stills_ahead.h"

namespace framewright::host {
namespace {

using Json = rapidjson::Value;

template <typename Facts>
std::string textOf(const Facts& facts) {
  return jsonText([&](JsonObject& object) { describe(facts, object); });
}

// Reads members; the first that is missing or of another kind spoils the whole.
class Members {
 public:
  explicit Members(const Json& object) : object_(object), good_(object.IsObject()) {}

  std::string text(const char* name) {
    const Json* value = find(name);
    if (value == nullptr || !value->IsString()) return good_ = false, "";
    return {value->GetString(), value->GetStringLength()};
  }
  std::string textOrNone(const char* name) { return find(name) == nullptr ? "" : text(name); }
  int64_t integer(const char* name) {
    const Json* value = find(name);
    if (value == nullptr || !value->IsInt64()) return good_ = false, 0;
    return value->GetInt64();
  }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> list;
    const Json* value = find(name);
    if (value == nullptr || !value->IsArray()) return good_ = false, list;
    for (const Json& item : value->GetArray()) {
      good_ = good_ && item.IsString();
      if (good_) list.emplace_back(item.GetString(), item.GetStringLength());
    }
    return list;
  }
  Members inner(const char* name) {
    static const Json kNone;
    const Json* value = find(name);
    Members members(value == nullptr ? kNone : *value);
    good_ = good_ && members.good_;
    return members;
  }
  bool good() const { return good_; }

 private:
  const Json* find(const char* name) const {
    if (!good_) return nullptr;
    const auto found = object_.FindMember(name);
    return found == object_.MemberEnd() ? nullptr : &found->value;
  }

  const Json& object_;
  bool good_;
};

std::optional<Act> readProbe(Members& call) {
  return Act{[path = call.text("path")](const CancelToken&, const ProgressSink&) -> Result<std::string> {
               FW_ASSIGN_OR_RETURN(const MediaMetadata facts, probe(path));
               return textOf(facts);
             },
             true};
}

std::optional<Act> readAhead(Members& call) {
  return Act{[path = call.text("path")](const CancelToken&, const ProgressSink&) -> Result<std::string> {
    StillsAhead::ofProcess().decode(path);
    return std::string("{}");
  }};
}

std::optional<Act> readKeep(Members&) {
  return Act{[](const CancelToken&, const ProgressSink&) -> Result<std::string> {
    keepMediaBetweenFrames();
    return std::string("{}");
  }};
}

std::optional<Act> readTrial(Members& call) {
  return Act{[name = call.text("name")](const CancelToken&, const ProgressSink&) -> Result<std::string> {
               return textOf(probeEncoder(name));
             },
             true};
}

std::optional<Act> readCapabilities(Members&) {
  return Act{
      [](const CancelToken&, const ProgressSink&) -> Result<std::string> { return textOf(Capabilities()); },
      true};
}

std::optional<Act> readSegment(Members& call) {
  Members range = call.inner("range");
  const FrameRange frames{range.integer("first"), range.integer("end")};
  if (!range.good()) return std::nullopt;
  return Act{[frames, text = call.text("timeline"), path = call.text("path")](
                 const CancelToken& cancel, const ProgressSink& progress) -> Result<std::string> {
    FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
    FW_ASSIGN_OR_RETURN(const SegmentFacts facts, renderSegment(timeline, frames, path, progress, cancel));
    return textOf(facts);
  }};
}

std::optional<Act> readAudio(Members& call) {
  return Act{[text = call.text("timeline"), path = call.text("path")](
                 const CancelToken& cancel, const ProgressSink& progress) -> Result<std::string> {
    FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
    FW_ASSIGN_OR_RETURN(const AudioFacts facts, renderAudio(timeline, path, progress, cancel));
    return textOf(facts);
  }};
}

std::optional<Act> readSound(Members& call) {
  constexpr int64_t kLowestRate = 8000, kHighestRate = 48000;
  const int64_t rate = call.integer("sampleRate");
  if (rate < kLowestRate || rate > kHighestRate) return std::nullopt;
  return Act{[rate = static_cast<int>(rate), path = call.text("path"), outputPath = call.text("outputPath")](
                 const CancelToken& cancel, const ProgressSink&) -> Result<std::string> {
    FW_ASSIGN_OR_RETURN(const AudioFacts facts, extractSound(path, outputPath, rate, cancel));
    return textOf(facts);
  }};
}

std::optional<Act> readStitch(Members& call) {
  Members members = call.inner("request");
  const StitchRequest request{members.texts("segmentPaths"), members.textOrNone("audioPath"),
                              members.text("outputPath")};
  if (!members.good()) return std::nullopt;
  return Act{[request](const CancelToken& cancel, const ProgressSink&) -> Result<std::string> {
    FW_ASSIGN_OR_RETURN(const OutputFacts facts, stitch(request, cancel));
    return textOf(facts);
  }};
}

// Composes a frame and writes it where `path` says.
Act frameAct(Members& call, const std::string& path, Status (*write)(const Image&, const std::string&)) {
  return Act{[text = call.text("timeline"), frame = call.integer("frame"),
              stills = call.textOrNone("stillsFolder"), path,
              write](const CancelToken& cancel, const ProgressSink&) -> Result<std::string> {
    FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
    FW_ASSIGN_OR_RETURN(const ImagePtr image, composeFrame(timeline, frame, cancel, stills));
    FW_RETURN_IF_ERROR(write(*image, path));
    return jsonText([&](JsonObject& object) {
      object.set("width", static_cast<double>(image->width()));
      object.set("height", static_cast<double>(image->height()));
    });
  }};
}

std::optional<Act> readFrame(Members& call) { return frameAct(call, call.text("pixelsPath"), writePixels); }

std::optional<Act> readFramePicture(Members& call) {
  const std::string type = call.textOrNone("type");
  if (type != "" && type != "png" && type != "jpeg") return std::nullopt;
  return frameAct(call, call.text("picturePath"), type == "jpeg" ? writeJpeg : writePng);
}

constexpr std::pair<const char*, std::optional<Act> (*)(Members&)> kActs[] = {
    {"probe", readProbe},           {"tryEncoder", readTrial}, {"capabilities", readCapabilities},
    {"renderSegment", readSegment}, {"renderAudio", readAudio},  {"extractSound", readSound},
    {"stitch", readStitch},         {"composeFrame", readFrame}, {"writeFrame", readFramePicture},
    {"decodeAhead", readAhead},     {"keepMedia", readKeep},
};

}  // namespace

std::optional<Act> readAct(const rapidjson::Value& call) {
  Members members(call);
  const std::string name = members.text("act");
  for (const auto& [known, read] : kActs) {
    if (name != known) continue;
    std::optional<Act> act = read(members);
    return members.good() ? std::move(act) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace framewright::host
