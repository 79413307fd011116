#include <cmath>
#include <string>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include "timeline/timeline.h"

namespace framewright {
namespace {

using Json = rapidjson::Value;

constexpr int64_t kMaxFrames = int64_t{1} << 40;
constexpr size_t kMaxClips = 200000;

Error invalid(const std::string& path, const std::string& what) {
  return Error{ErrorCode::INVALID_TIMELINE, "The timeline is invalid at " + path + ": " + what + ".", ""};
}

// Reads one JSON object member by member. The first thing wrong is kept and everything after it reads as
// its default, so that readers stay straight lines and the caller asks once at the end.
class Reader {
 public:
  const std::optional<Error>& error() const { return error_; }

  void fail(const std::string& path, const std::string& what) {
    if (!error_) error_ = invalid(path, what);
  }

  const Json* member(const Json& object, const char* name) const {
    if (!object.IsObject()) return nullptr;
    const auto found = object.FindMember(name);
    return found == object.MemberEnd() ? nullptr : &found->value;
  }

  const Json* object(const Json& parent, const char* name, const std::string& path, bool required) {
    const Json* value = member(parent, name);
    if (value == nullptr && !required) return nullptr;
    if (value == nullptr || !value->IsObject()) {
      fail(path + "." + name, "must be an object");
      return nullptr;
    }
    return value;
  }

  const Json* array(const Json& parent, const char* name, const std::string& path) {
    const Json* value = member(parent, name);
    if (value == nullptr || !value->IsArray()) {
      fail(path + "." + name, "must be an array");
      return nullptr;
    }
    return value;
  }

  int64_t integer(const Json& parent, const char* name, const std::string& path, int64_t low, int64_t high,
                  std::optional<int64_t> fallback = std::nullopt) {
    const Json* value = member(parent, name);
    if (value == nullptr && fallback) return *fallback;
    if (value == nullptr || !value->IsInt64() || value->GetInt64() < low || value->GetInt64() > high) {
      fail(path + "." + name,
           "must be an integer from " + std::to_string(low) + " to " + std::to_string(high));
      return low;
    }
    return value->GetInt64();
  }

  double number(const Json& parent, const char* name, const std::string& path, double low, double high,
                std::optional<double> fallback = std::nullopt) {
    const Json* value = member(parent, name);
    if (value == nullptr && fallback) return *fallback;
    if (value == nullptr || !value->IsNumber() ||
        !(value->GetDouble() >= low && value->GetDouble() <= high)) {
      fail(path + "." + name, "must be a number from " + std::to_string(low) + " to " + std::to_string(high));
      return low;
    }
    return value->GetDouble();
  }

  std::string string(const Json& parent, const char* name, const std::string& path) {
    const Json* value = member(parent, name);
    if (value == nullptr || !value->IsString()) {
      fail(path + "." + name, "must be a string");
      return "";
    }
    return {value->GetString(), value->GetStringLength()};
  }

  bool boolean(const Json& parent, const char* name, const std::string& path) {
    const Json* value = member(parent, name);
    if (value == nullptr) return false;
    if (!value->IsBool()) fail(path + "." + name, "must be true or false");
    return value->IsTrue();
  }

 private:
  std::optional<Error> error_;
};

constexpr double kFar = 1e7;  // pixels; beyond any canvas, within exact arithmetic

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

Color readColor(Reader& reader, const Json& parent, const char* name, const std::string& path) {
  const std::string text = reader.string(parent, name, path);
  int bytes[4] = {0, 0, 0, 0};
  bool good = text.size() == 9 && text[0] == '#';
  for (int i = 0; good && i < 4; ++i) {
    const int high = hexDigit(text[1 + 2 * i]);
    const int low = hexDigit(text[2 + 2 * i]);
    good = high >= 0 && low >= 0;
    bytes[i] = high * 16 + low;
  }
  if (!good) {
    reader.fail(path + "." + name, "must be a colour like #rrggbbaa");
    return {};
  }
  return {static_cast<uint8_t>(bytes[0]), static_cast<uint8_t>(bytes[1]), static_cast<uint8_t>(bytes[2]),
          static_cast<uint8_t>(bytes[3])};
}

std::optional<Rect> readRect(Reader& reader, const Json& parent, const char* name, const std::string& path,
                             bool required) {
  const Json* value = reader.object(parent, name, path, required);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + "." + name;
  constexpr double kTiny = 1e-6;
  return Rect{reader.number(*value, "x", here, -kFar, kFar), reader.number(*value, "y", here, -kFar, kFar),
              reader.number(*value, "width", here, kTiny, kFar),
              reader.number(*value, "height", here, kTiny, kFar)};
}

Keyframe readKeyframe(Reader& reader, const Json& value, const std::string& path, double low, double high) {
  Keyframe keyframe;
  if (!value.IsObject()) {
    reader.fail(path, "must be an object");
    return keyframe;
  }
  keyframe.frame = reader.number(value, "frame", path, -static_cast<double>(kMaxFrames), kMaxFrames);
  keyframe.value = reader.number(value, "value", path, low, high);
  if (reader.member(value, "easing") != nullptr) {
    const auto easing = easingFromName(reader.string(value, "easing", path));
    if (easing) {
      keyframe.easing = *easing;
    } else {
      reader.fail(path + ".easing", "is not a known easing");
    }
  }
  return keyframe;
}

Curve readCurve(Reader& reader, const Json& parent, const char* name, const std::string& path,
                double fallback, double low, double high) {
  Curve curve{fallback, {}};
  const Json* value = reader.member(parent, name);
  if (value == nullptr) return curve;
  if (!value->IsArray()) {
    curve.constant = reader.number(parent, name, path, low, high);
    return curve;
  }
  const std::string here = path + "." + name;
  if (value->Empty()) reader.fail(here, "must have at least one keyframe");
  curve.keyframes.reserve(value->Size());
  for (rapidjson::SizeType i = 0; i < value->Size(); ++i) {
    curve.keyframes.push_back(readKeyframe(reader, (*value)[i], here + "." + std::to_string(i), low, high));
    if (i > 0 && curve.keyframes[i].frame <= curve.keyframes[i - 1].frame) {
      reader.fail(here + "." + std::to_string(i) + ".frame", "must be after the keyframe before");
    }
  }
  return curve;
}

MediaRange readMedia(Reader& reader, const Json& parent, const std::string& path, bool required) {
  MediaRange media;
  const Json* value = reader.object(parent, "media", path, required);
  if (value == nullptr) return media;
  const std::string here = path + ".media";
  constexpr double kLongest = 1e7;  // seconds
  media.in = reader.number(*value, "in", here, 0, kLongest);
  if (reader.member(*value, "out") != nullptr) {
    media.out = reader.number(*value, "out", here, 0, kLongest);
    if (*media.out <= media.in) reader.fail(here + ".out", "must be after in");
  }
  media.loops = static_cast<int>(reader.integer(*value, "loops", here, -1, 1000000, 1));
  if (media.loops == 0) reader.fail(here + ".loops", "must not be 0");
  return media;
}

// Reads the parts that need to know what came before: sources and clip ids.
class TimelineReader {
 public:
  Result<Timeline> read(const Json& root) {
    if (!root.IsObject()) return invalid("the root", "must be an object");
    reader_.integer(root, "version", "timeline", 1, 1);
    readCanvas(root);
    readSources(root);
    timeline_.under = readClips(root, "under", "timeline", timeline_.frames);
    readSections(root);
    timeline_.over = readClips(root, "over", "timeline", timeline_.frames);
    readAudio(root);
    readEncode(root);
    if (reader_.error()) return *reader_.error();
    return std::move(timeline_);
  }

 private:
  void readCanvas(const Json& root) {
    const Json* canvas = reader_.object(root, "canvas", "timeline", true);
    if (canvas == nullptr) return;
    timeline_.width = static_cast<int>(reader_.integer(*canvas, "width", "canvas", 2, 8192));
    timeline_.height = static_cast<int>(reader_.integer(*canvas, "height", "canvas", 2, 8192));
    if (timeline_.width % 2 != 0 || timeline_.height % 2 != 0) reader_.fail("canvas", "sides must be even");
    timeline_.frames = reader_.integer(*canvas, "frames", "canvas", 1, kMaxFrames);
    if (const Json* fps = reader_.object(*canvas, "fps", "canvas", true)) {
      timeline_.fps = {reader_.integer(*fps, "num", "canvas.fps", 1, 1000000000),
                       reader_.integer(*fps, "den", "canvas.fps", 1, 1000000000)};
    }
  }

  void readSources(const Json& root) {
    const Json* sources = reader_.array(root, "sources", "timeline");
    if (sources == nullptr) return;
    for (rapidjson::SizeType i = 0; i < sources->Size(); ++i) {
      const std::string path = "sources." + std::to_string(i);
      Source source;
      const std::string kind = reader_.string((*sources)[i], "kind", path);
      if (kind == "image") {
        source.kind = SourceKind::kImage;
      } else if (kind == "sprite") {
        source.kind = SourceKind::kSprite;
      } else if (kind == "video") {
        source.kind = SourceKind::kVideo;
      } else if (kind == "audio") {
        source.kind = SourceKind::kAudio;
      } else {
        reader_.fail(path + ".kind", "must be image, sprite, video or audio");
      }
      source.path = reader_.string((*sources)[i], "path", path);
      source.label = reader_.string((*sources)[i], "label", path);
      timeline_.sources.push_back(std::move(source));
    }
  }

  int readSourceIndex(const Json& value, const std::string& path) {
    const auto last = static_cast<int64_t>(timeline_.sources.size()) - 1;
    if (last < 0) {
      reader_.fail(path + ".source", "names a source but there are none");
      return -1;
    }
    return static_cast<int>(reader_.integer(value, "source", path, 0, last));
  }

  std::vector<Clip> readClips(const Json& parent, const char* name, const std::string& path, int64_t frames) {
    std::vector<Clip> clips;
    const Json* values = reader_.array(parent, name, path);
    if (values == nullptr) return clips;
    for (rapidjson::SizeType i = 0; i < values->Size() && !reader_.error(); ++i) {
      clips.push_back(readClip((*values)[i], path + "." + name + "." + std::to_string(i), frames));
    }
    return clips;
  }

  Clip readClip(const Json& value, const std::string& path, int64_t containerFrames) {
    Clip clip;
    clip.id = nextClipId_++;
    if (!value.IsObject() || clip.id >= static_cast<int>(kMaxClips)) {
      reader_.fail(path, value.IsObject() ? "is one clip too many" : "must be an object");
      return clip;
    }
    const bool isFill = reader_.member(value, "fill") != nullptr;
    if (isFill == (reader_.member(value, "source") != nullptr)) {
      reader_.fail(path, "must have exactly one of source and fill");
    } else if (isFill) {
      clip.fill = readColor(reader_, value, "fill", path);
    } else {
      clip.source = readSourceIndex(value, path);
      if (clip.source >= 0 && !reader_.error() && timeline_.sources[clip.source].kind == SourceKind::kAudio) {
        reader_.fail(path + ".source", "must not be a sound");
      }
    }
    clip.start = reader_.integer(value, "start", path, 0, containerFrames);
    clip.frames = reader_.integer(value, "frames", path, 1, kMaxFrames);
    if (const auto box = readRect(reader_, value, "box", path, true)) clip.box = *box;
    if (const auto crop = readRect(reader_, value, "crop", path, false)) clip.crop = *crop;
    clip.window = readRect(reader_, value, "clip", path, false);
    readAnchor(value, path, clip.anchorX, clip.anchorY);
    readMotion(value, path, clip);
    clip.piece = readPiece(value, path);
    clip.media = readMedia(reader_, value, path, false);
    return clip;
  }

  void readAnchor(const Json& value, const std::string& path, double& x, double& y) {
    const Json* anchor = reader_.object(value, "anchor", path, false);
    if (anchor == nullptr) return;
    x = reader_.number(*anchor, "x", path + ".anchor", -1e4, 1e4);
    y = reader_.number(*anchor, "y", path + ".anchor", -1e4, 1e4);
  }

  std::optional<PieceMotion> readPiece(const Json& clip, const std::string& path) {
    const Json* value = reader_.object(clip, "piece", path, false);
    if (value == nullptr) return std::nullopt;
    const std::string here = path + ".piece";
    PieceMotion piece;
    readAnchor(*value, here, piece.anchorX, piece.anchorY);
    piece.x = readCurve(reader_, *value, "x", here, 0, -kFar, kFar);
    piece.y = readCurve(reader_, *value, "y", here, 0, -kFar, kFar);
    piece.scaleX = readCurve(reader_, *value, "scaleX", here, 1, 0, 1e4);
    piece.scaleY = readCurve(reader_, *value, "scaleY", here, 1, 0, 1e4);
    return piece;
  }

  void readMotion(const Json& value, const std::string& path, Clip& clip) {
    clip.x = readCurve(reader_, value, "x", path, 0, -kFar, kFar);
    clip.y = readCurve(reader_, value, "y", path, 0, -kFar, kFar);
    clip.scale = readCurve(reader_, value, "scale", path, 1, 0, 1e4);
    clip.rotation = readCurve(reader_, value, "rotation", path, 0, -1e9, 1e9);
    clip.opacity = readCurve(reader_, value, "opacity", path, 1, 0, 1);
    clip.fadeIn = reader_.integer(value, "fadeIn", path, 0, kMaxFrames, 0);
    clip.fadeOut = reader_.integer(value, "fadeOut", path, 0, kMaxFrames, 0);
    clip.flipX = reader_.boolean(value, "flipX", path);
    clip.flipY = reader_.boolean(value, "flipY", path);
  }

  void readSections(const Json& root) {
    const Json* sections = reader_.array(root, "sections", "timeline");
    if (sections == nullptr) return;
    int64_t expected = 0;
    for (rapidjson::SizeType i = 0; i < sections->Size() && !reader_.error(); ++i) {
      const std::string path = "sections." + std::to_string(i);
      Section section = readSection((*sections)[i], path);
      if (section.start != expected) {
        reader_.fail(path + ".start", "must be " + std::to_string(expected) + ", where the one before ends");
      }
      expected = section.start + section.frames;
      if (i == 0 && section.transition) reader_.fail(path + ".transition", "has no section before it");
      timeline_.sections.push_back(std::move(section));
    }
    if (timeline_.sections.empty()) reader_.fail("sections", "must have at least one section");
    if (expected > timeline_.frames) reader_.fail("sections", "are longer than canvas.frames");
  }

  Section readSection(const Json& value, const std::string& path) {
    Section section;
    section.label = reader_.string(value, "label", path);
    section.start = reader_.integer(value, "start", path, 0, kMaxFrames);
    section.frames = reader_.integer(value, "frames", path, 1, kMaxFrames);
    section.background = readColor(reader_, value, "background", path);
    section.clips = readClips(value, "clips", path, section.frames);
    if (const Json* transition = reader_.object(value, "transition", path, false)) {
      section.transition =
          Transition{reader_.string(*transition, "style", path + ".transition"),
                     reader_.integer(*transition, "frames", path + ".transition", 1, section.frames)};
    }
    return section;
  }

  void readAudio(const Json& root) {
    const Json* clips = reader_.array(root, "audio", "timeline");
    if (clips == nullptr) return;
    for (rapidjson::SizeType i = 0; i < clips->Size() && !reader_.error(); ++i) {
      const Json& value = (*clips)[i];
      const std::string path = "audio." + std::to_string(i);
      AudioClip clip;
      clip.source = readSourceIndex(value, path);
      clip.start = reader_.integer(value, "start", path, 0, kMaxFrames);
      clip.frames = reader_.integer(value, "frames", path, 1, kMaxFrames);
      clip.gain = readCurve(reader_, value, "gain", path, 1, 0, 10);
      clip.fadeIn = reader_.integer(value, "fadeIn", path, 0, kMaxFrames, 0);
      clip.fadeOut = reader_.integer(value, "fadeOut", path, 0, kMaxFrames, 0);
      clip.media = readMedia(reader_, value, path, true);
      timeline_.audio.push_back(std::move(clip));
    }
  }

  void readEncode(const Json& root) {
    const Json* encode = reader_.object(root, "encode", "timeline", true);
    if (encode == nullptr) return;
    EncodeSettings& settings = timeline_.encode;
    settings.encoder = reader_.string(*encode, "encoder", "encode");
    settings.preset = reader_.string(*encode, "preset", "encode");
    settings.crf = reader_.number(*encode, "crf", "encode", 0, 51);
    settings.keyframeSeconds = reader_.number(*encode, "keyframeSeconds", "encode", 0.01, 3600);
    settings.audioBitrate =
        static_cast<int>(reader_.integer(*encode, "audioBitrate", "encode", 32000, 512000));
  }

  Reader reader_;
  Timeline timeline_;
  int nextClipId_ = 0;
};

}  // namespace

Result<Timeline> parseTimeline(std::string_view json) {
  rapidjson::Document document;
  // Iterative: hostile nesting must not exhaust the stack.
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (document.HasParseError()) {
    return Error{ErrorCode::INVALID_TIMELINE, "The timeline is not valid JSON.",
                 std::string(rapidjson::GetParseError_En(document.GetParseError())) + " at byte " +
                     std::to_string(document.GetErrorOffset())};
  }
  return TimelineReader().read(document);
}

}  // namespace framewright
